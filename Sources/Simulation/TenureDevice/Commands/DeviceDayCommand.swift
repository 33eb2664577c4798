import TenureCommandLine
import TenureCore
import TenureFormats

enum DeviceDayCommand {
    private static let days = Argument.option("days", "N", "The number of days.", as: .int(in: 1...3650), default: 1)

    /// The results of a device's daily work on one day.
    fileprivate struct Day {
        let now: Timestamp
        var renewal: DeviceSession.Renewal?
        var watched: DeviceSession.Renewal?
        var round: UpdateRound?
        var restored: [RestoredApp] = []
        var problems: [String] = []
        var marketplace = ""

        var isQuiet: Bool { lines.isEmpty }
    }

    static let command = Command(
        "day", "Lets days pass, and runs the device's daily work on each of them.",
        discussion: """
            Moves the clock file by 86,400 seconds for each day, so a server on the same file moves along. The \
            daily job renews all licenses that expire within 24 hours in one POST. With an account, the marketplace \
            app asks which licenses to renew early. Updates are checked as often as the marketplace wants, and \
            installed. Darkened icons are requested again. If the server does not respond, the command still \
            succeeds: the device tries again the next day, when it may be too late.
            """,
        example: "tenure device day phone --days 29",
        arguments: [DeviceOptions.folder, days, SharedOptions.json],
        output: DeviceOutputs.days
    ) { arguments, console in
        var open = try OpenDevice(arguments)
        guard let path = open.device.clockFile else {
            throw CommandError(
                "The device uses the system clock, which can't be moved. Create a device with `tenure device new --clock FILE`."
            )
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
            console.answer(lines: day.lines.map { "\(day.now.local)  \($0)" })
        }
        if asJSON {
            console.answer { $0.days(past) }
        } else if quiet > 0, let last = past.last {
            console.answer("\(last.now.local)  nothing to renew\(quiet > 1 ? " for \(quiet) days" : "")")
        }
        return .done
    }

    private static func run(_ open: inout OpenDevice) async -> Day {
        var day = Day(now: open.now)
        day.marketplace = open.device.marketplaceTitle
        do throws(DeviceError) {
            day.renewal = try await open.session.runDailyJob(at: day.now)
        } catch {
            day.problems.append("renewal failed: \(error.message)")
        }
        do throws(DeviceError) {
            if open.session.hasAccount {
                day.watched = try await open.session.watchLicenses(isStart: false, at: day.now)
            }
        } catch {
            day.problems.append("could not ask which licenses to renew: \(error.message)")
        }
        day.restored = await open.session.restore(into: open.folder.files, at: day.now)
        do throws(DeviceError) {
            day.round = try await open.session.update(into: open.folder.files, at: day.now)
        } catch {
            day.problems.append("could not check for updates: \(error.message)")
        }
        return day
    }
}

extension DeviceDayCommand.Day {
    fileprivate var lines: [String] {
        let renewals = [renewal, watched].compactMap { $0?.lines(at: now) }.joined()
        return problems + renewals + restored.flatMap { $0.lines(marketplace: marketplace) } + (round?.lines ?? [])
    }
}

extension JSONObjectWriter {
    fileprivate mutating func days(_ days: [DeviceDayCommand.Day]) {
        member("now", days.last?.now.description)
        array("days") { list in
            for day in days where !day.isQuiet {
                list.object { body in
                    body.member("now", day.now.description)
                    body.member("problem", day.problems.first)
                    body.member("problems", day.problems)
                    if let renewal = day.renewal { body.renewal(renewal, at: day.now) }
                    if let watched = day.watched { body.object("watched") { $0.renewal(watched, at: day.now) } }
                    if let round = day.round { body.object("updates") { $0.updates(round, at: day.now) } }
                    body.restored(day.restored, at: day.now)
                }
            }
        }
    }
}
