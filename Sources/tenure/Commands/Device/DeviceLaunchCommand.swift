import TenureCommandLine
import TenureCore
import TenureDevice

/// `tenure device launch`
enum DeviceLaunchCommand {
    static let command = Command(
        "launch", "Launches an app, or says why the system does not.",
        discussion: "Nothing is asked of the server. Ends with 1 when the app does not launch.",
        example: "tenure device launch phone --item 6483539426",
        arguments: [DeviceOptions.folder, DeviceOptions.item, SharedOptions.json]
    ) { arguments, console in
        let open = try OpenDevice(arguments)
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
