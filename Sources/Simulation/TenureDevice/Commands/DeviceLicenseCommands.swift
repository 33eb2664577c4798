import TenureCommandLine
import TenureCore
import TenureFormats

enum DeviceLaunchCommand {
    static let command = Command(
        "launch", "Launches an app, or says why the system does not launch it.",
        discussion: "Sends nothing to the server. Exits with 1 if the app does not launch.",
        example: "tenure device launch phone --item 6483539426",
        arguments: [DeviceOptions.folder, DeviceOptions.item, SharedOptions.json],
        output: OutputType.object(DeviceOutputs.app)
    ) { arguments, console in
        let open = try OpenDevice(reading: arguments)
        let app = try open.session.app(arguments[DeviceOptions.item])
        let now = open.now
        let decision = app.launch(at: now)
        let end = if case .launches = decision { "; its license runs \(app.endWords(at: now))" } else { "" }
        console.answer("\(app.name) \(app.launchWords(at: now))\(end)", asJSON: arguments[SharedOptions.json]) { body in
            body.app(app, at: now)
        }
        if case .launches = decision { return .done }
        return .failed
    }
}

enum DeviceRenewCommand {
    static let command = Command(
        "renew", "Renews licenses now, as requestLicenseRenewal does in a marketplace app.",
        discussion: """
            With --item, renews the licenses of these apps. Without it, does what a good marketplace app does each \
            day: asks the marketplace which licenses to renew, which needs the account's token. Exits with 1 if a \
            license is not renewed.
            """,
        example: "tenure device renew phone --item 6483539426",
        arguments: [DeviceOptions.folder, DeviceOptions.items, SharedOptions.json],
        output: OutputType.object(DeviceOutputs.renewal)
    ) { arguments, console in
        var open = try OpenDevice(arguments)
        let now = open.now
        let items = arguments[DeviceOptions.items]
        let renewal =
            items.isEmpty
            ? try await open.session.watchLicenses(isStart: true, at: now)
            : try await open.session.renew(items, at: now)
        try open.save()
        if arguments[SharedOptions.json] {
            console.answer { $0.renewal(renewal, at: now) }
        } else {
            let lines = renewal.lines(at: now)
            console.answer(lines: lines.isEmpty ? ["nothing to renew"] : lines)
        }
        return renewal.isWhole ? .done : .failed
    }
}

extension DeviceSession.Renewal {
    /// The result as text, with one line per app.
    func lines(at now: Timestamp) -> [String] {
        renewed.map { "renewed \($0.name) \($0.endWords(at: now))" }
            + ineligible.map { "not renewed: \($0.name); it no longer launches" }
            + unanswered.map { "no response for \($0.name)" }
    }

    /// Whether every requested license was renewed, so that the command succeeds.
    var isWhole: Bool { ineligible.isEmpty && unanswered.isEmpty }
}

extension JSONObjectWriter {
    /// Writes the result of a renewal.
    mutating func renewal(_ renewal: DeviceSession.Renewal, at now: Timestamp) {
        for (name, apps) in [
            ("renewed", renewal.renewed), ("ineligible", renewal.ineligible), ("unanswered", renewal.unanswered),
        ] {
            array(name) { list in
                for app in apps { list.object { $0.app(app, at: now) } }
            }
        }
    }
}
