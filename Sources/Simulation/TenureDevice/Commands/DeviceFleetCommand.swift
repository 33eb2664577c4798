import FoundationEssentials
import TenureCommandLine
import TenureCore

enum DeviceFleetCommand {
    private static let count = Argument.option(
        "count", "N", "The number of devices.", as: .int(in: 1...1_000_000), default: 200)
    private static let days = Argument.option("days", "D", "The number of days.", as: .int(in: 1...3650), default: 60)
    private static let seed = Argument.option(
        "seed", "S", "The random seed that decides when devices are online and launch the app.",
        as: .int(in: 0 ... .max), default: 1)
    private static let clock = Argument.required(
        "clock", "FILE", "The server's --clock FILE; the fleet moves it.", as: .text)
    private static let outage: Argument<Range<Int>?> = .optional(
        "outage", "FROM-TO", "Days on which the server does not respond, such as 50-52.", as: .dayRange)
    private static let offlineShare = Argument.option(
        "offline-share", "PERCENT", "On how many of the days a device is offline.", as: .int(in: 0...90), default: 10)
    private static let renewAhead = Argument.option(
        "renew-ahead", "WHETHER", "Whether the marketplace app renews licenses early.", as: .choice(of: Rule.self),
        default: .both)
    private static let window = Argument.option(
        "renew-ahead-days", "N", "How many days before expiry it renews.", as: .int(in: 1...60), default: 7)
    private static let svg: Argument<String?> = .optional(
        "svg", "FILE", "Draw the renewal attempts in this file.", as: .text)

    private enum Rule: String, CaseIterable {
        case yes = "true"
        case no = "false"
        case both = "both"

        var rules: [Bool] {
            switch self {
            case .yes: [true]
            case .no: [false]
            case .both: [true, false]
            }
        }
    }

    static let command = Command(
        "fleet", "Simulates months of many devices in minutes, and counts refused launches.",
        discussion: """
            Every device is online on most days, launches the app, and renews its license: by the system's daily \
            job, and earlier if the marketplace app does so. With --renew-ahead both, the same devices run twice \
            through the same days, once with each setting. The fleet simulates outages while the server keeps \
            running.

            A launch is wrongly refused if, within the last --renew-ahead-days of its license, the device was \
            online on a day when the server responded. Exits with 1 if that happened to a fleet that renews early.
            """,
        example:
            "tenure device fleet --server http://127.0.0.1:8080 --clock clock --package packages/game-1 --outage 50-52",
        arguments: [
            DeviceOptions.server, DeviceOptions.domain, DeviceOptions.tokenFile, clock, count, days, seed, outage,
            offlineShare, renewAhead, window, svg,
        ] + PackageReading.arguments + [DeviceOptions.model, DeviceOptions.system, SharedOptions.json],
        output: DeviceOutputs.fleet
    ) { arguments, console in
        let choice = try PackageReading.choice(
            arguments, model: arguments[DeviceOptions.model], system: arguments[DeviceOptions.system])
        let plan = FleetPlan(
            count: arguments[count], days: arguments[days], seed: UInt64(arguments[seed]),
            offlineShare: Double(arguments[offlineShare]) / 100, outage: arguments[outage] ?? 0..<0)
        let server = try DeviceOptions.address(arguments)
        let file = ClockFile(path: arguments[clock])
        let start = try VirtualClock(path: file.path).now()
        let run = FleetRun(
            plan: plan, app: choice.requestedApp,
            marketplace: ServedMarketplace(server, transport: try OpenDevice.transport(to: server)),
            token: try arguments[DeviceOptions.tokenFile].map { path throws in try TokenFile.read(path) },
            windowDays: arguments[window], start: start)
        let rules = arguments[renewAhead].rules
        let progress = console.progress("device-days", total: plan.count * plan.days * rules.count)
        let tallies = try await run.simulate(
            rules: rules,
            setTime: { try file.set(SystemClock().now().seconds(until: $0)) },
            progress: { progress.advance(by: $0) })
        progress.finish()
        if let path = arguments[svg] {
            try FleetPlot.svg(tallies, of: plan).write(toFile: path, atomically: true, encoding: .utf8)
        }
        if arguments[SharedOptions.json] {
            console.answer { $0.fleet(tallies, of: plan, windowDays: arguments[window]) }
        } else {
            console.answer(lines: FleetPage.lines(tallies, of: plan, windowDays: arguments[window], console: console))
        }
        return tallies.contains { $0.renewsAhead && $0.wronglyRefused > 0 } ? .failed : .done
    }
}

extension ArgumentReading where Value == Range<Int> {
    /// Reads a range of days, counted from 1: `50-52`, or `50` alone.
    fileprivate static var dayRange: ArgumentReading {
        ArgumentReading { text in
            let ends = text.split(atByte: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil, first >= 1, last >= first
            else { throw UsageError("enter a day or a range of days, such as 50 or 50-52; the first day is 1") }
            return first - 1..<last
        }
    }
}
