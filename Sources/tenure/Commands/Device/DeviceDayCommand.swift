import TenureCommandLine
import TenureCore
import TenureDevice
import TenureFormats

/// `tenure device day`
enum DeviceDayCommand {
    private static let days = Argument.option("days", "N", "How many days.", as: .int(in: 1...3650), default: 1)

    /// One day's daily job.
    fileprivate struct Day {
        let now: Timestamp
        var renewal: DeviceSession.Renewal?
        var problem: String?

        var isQuiet: Bool { problem == nil && renewal?.lines(at: now).isEmpty ?? true }
    }

    static let command = Command(
        "day", "Lets days pass, and runs the daily job on each of them.",
        discussion: """
            Moves the clock file by 86,400 seconds for each day, so a server on the same file moves along. The daily job \
            asks in one POST for all licenses that expire within 24 hours. A server that does not answer is no failure of \
            this command: the device tries again the next day, when it may be too late.
            """,
        example: "tenure device day phone --days 29",
        arguments: [DeviceOptions.folder, days, SharedOptions.json]
    ) { arguments, console in
        var open = try OpenDevice(arguments)
        guard let path = open.device.clockFile else {
            throw CommandError("The device goes by the system's clock; make one with `tenure device new --clock FILE`.")
        }
        let asJSON = arguments[SharedOptions.json]
        var past: [Day] = []
        var quiet = 0
        for _ in 0..<arguments[days] {
            try ClockFile(path: path).advance(by: 86_400)
            let day = await run(&open)
            try open.save()
            past.append(day)
            if asJSON { continue }
            quiet = day.isQuiet ? quiet + 1 : 0
            for line in day.lines { console.answer("\(day.now)  \(line)") }
        }
        if asJSON {
            console.answer { $0.days(past) }
        } else if quiet > 0, let last = past.last {
            console.answer("\(last.now)  nothing to renew\(quiet > 1 ? " for \(quiet) days" : "")")
        }
        return .done
    }

    private static func run(_ open: inout OpenDevice) async -> Day {
        var day = Day(now: open.now)
        do throws(DeviceError) {
            day.renewal = try await open.session.runDailyJob(at: day.now)
        } catch {
            day.problem = error.message
        }
        return day
    }
}

extension DeviceDayCommand.Day {
    fileprivate var lines: [String] {
        if let problem { return ["renewal failed: \(problem)"] }
        return renewal?.lines(at: now) ?? []
    }
}

extension JSONObjectWriter {
    fileprivate mutating func days(_ days: [DeviceDayCommand.Day]) {
        member("now", days.last?.now.description)
        array("days") { list in
            for day in days where !day.isQuiet {
                list.object { body in
                    body.member("now", day.now.description)
                    body.member("problem", day.problem)
                    if let renewal = day.renewal { body.renewal(renewal, at: day.now) }
                }
            }
        }
    }
}
