import TenureCommandLine
import TenureCore
import TenureFormats
import TenureMarketplace

enum DeviceUpdateCommand {
    static let command = Command(
        "update", "Checks for new versions of the installed apps, and installs them.",
        discussion: """
            The marketplace is asked at most as often as its configuration's pollingInterval allows, and at most \
            once a day; 'device day' does the same. A delta from the installed version to this device's variant is \
            used if there is one, otherwise the whole variant. If an update fails, the installed version stays. \
            Exits with 1 if an update could not be installed, or if \
            the marketplace did not respond about an app; the next call asks again.
            """,
        example: "tenure device update phone",
        arguments: [DeviceOptions.folder, SharedOptions.json],
        output: OutputType.either([.object(DeviceOutputs.updates), .object(DeviceOutputs.failed)])
    ) { arguments, console in
        var open = try OpenDevice(arguments)
        let now = open.now
        let bar = console.installBar()
        let round: UpdateRound
        do throws(DeviceError) {
            round = try await open.session.update(into: open.folder.files, at: now, meter: { bar.meter() })
        } catch {
            bar.line.clear()
            return try console.end(error, asJSON: arguments[SharedOptions.json])
        }
        bar.line.clear()
        try open.save()
        if arguments[SharedOptions.json] {
            console.answer { $0.updates(round, at: now) }
        } else {
            let nothing =
                round.notBefore.map { "not checked: the next check is on \($0.local)" } ?? "everything is up to date"
            console.answer(lines: round.lines.isEmpty ? [nothing] : round.lines)
        }
        return round.ended.isEmpty ? .done : .failed
    }
}

extension UpdateRound {
    /// The result as text, with one line for each app that has something to report.
    var lines: [String] {
        updated.map { done in
            let size =
                done.bytes.map { ", \(done.isDelta ? "a delta" : "the whole file") of \(InstallBar.size($0))" } ?? ""
            return "updated \(done.app.name) to \(done.manifest.shortVersion)\(size)"
        }
            + ended.map { "not updated: \($0.app.name), which launches as before: \($0.error.message)" }
            + dropped.filter { $0.reason != "notNewer" }.map {
                "skipped: an update of \($0.item ?? "no app"): \($0.reason)"
            }
    }
}

extension JSONObjectWriter {
    /// Writes the result of an update check.
    mutating func updates(_ round: UpdateRound, at now: Timestamp) {
        member("asked", round.notBefore == nil)
        member("notBefore", round.notBefore?.description)
        array("updated") { list in
            for done in round.updated { list.object { $0.finished(done, at: now) } }
        }
        array("ended") { list in
            for end in round.ended {
                list.object { body in
                    body.end(end.error)
                    body.app(end.app, at: now)
                }
            }
        }
        array("dropped") { list in
            for drop in round.dropped {
                list.object { body in
                    body.member("appleItemID", drop.item)
                    body.member("reason", drop.reason)
                }
            }
        }
    }
}
