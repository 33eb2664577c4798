package import TenureCommandLine
import TenureCore
import TenureFormats

package enum DeviceCommands {
    package static let group = CommandGroup(
        "device", "Simulates an iPhone that installs, renews, launches and taps apps of a marketplace.",
        discussion: """
            A simulated device, kept in its own folder, for trying a marketplace on your own computer. It requests \
            licenses exactly as a device does. The contents of the licenses are Tenure's simulation, which no \
            iPhone accepts.

            Give the device and the server the same --clock FILE to share a calendar, which 'device day' moves \
            forward.
            """,
        example: """
            tenure device new phone --server http://127.0.0.1:8080 --clock clock
            tenure device install phone --package packages/game-1
            tenure device day phone --days 29
            tenure device launch phone --item 6483539426
            """,
        commands: [
            DeviceNewCommand.command, DeviceInstallCommand.command, DeviceLaunchCommand.command,
            DeviceDayCommand.command, DeviceRenewCommand.command, DeviceTapCommand.command,
            DeviceListCommand.command, DeviceUpdateCommand.command, DeviceRestoreCommand.command,
            DeviceSignInCommand.command, DeviceFleetCommand.command,
        ])
}

enum DeviceNewCommand {
    private static let marketplace: Argument<String?> = .optional(
        "marketplace", "NAME", "The marketplace's name in alerts; default: its domain.", as: .text)
    private static let account: Argument<String?> = .optional(
        "account", "ID", "The user's account at the marketplace.", as: .text)

    static let command = Command(
        "new", "Creates a device in a new folder.",
        discussion: """
            The device remembers the server, the account and the clock. The token stays in its file and is read for \
            each request. URLs of the marketplace's domain are requested from the server, whatever their scheme and \
            port.
            """,
        example: "tenure device new phone --server http://127.0.0.1:8080 --clock clock",
        arguments: [
            DeviceOptions.folder, DeviceOptions.server, DeviceOptions.domain, marketplace, account,
            DeviceOptions.tokenFile,
            DeviceOptions.model, DeviceOptions.system, SharedOptions.clock, SharedOptions.json,
        ],
        output: OutputType.object(DeviceOutputs.device)
    ) { arguments, console in
        var device = Device(
            model: arguments[DeviceOptions.model], systemVersion: arguments[DeviceOptions.system],
            server: try DeviceOptions.address(arguments))
        if let text = arguments[account] {
            guard let account = AccountID(text) else { throw UsageError("--account: enter 1 to 128 bytes of text") }
            device.account = account
        }
        device.marketplaceName = arguments[marketplace]
        device.tokenFile = arguments[DeviceOptions.tokenFile].map(RememberedPath.absolute)
        device.clockFile = arguments[SharedOptions.clock].map(RememberedPath.absolute)
        if let path = device.clockFile { _ = try VirtualClock(path: path) }
        if let path = device.tokenFile { _ = try TokenFile.read(path) }
        let folder = DeviceFolder(arguments[DeviceOptions.folder])
        try folder.create(device)
        console.answer(
            "created \(device.model) with iOS \(device.systemVersion) in \(folder.path), connected to \(device.server.text)",
            asJSON: arguments[SharedOptions.json]
        ) { $0.device(device) }
        return .done
    }
}

enum DeviceListCommand {
    static let command = Command(
        "list", "Lists the apps on a device and their licenses.", example: "tenure device list phone",
        arguments: [DeviceOptions.folder, SharedOptions.json, SharedOptions.wide],
        output: OutputType.page(
            "apps", of: .object(DeviceOutputs.app),
            and: DeviceOutputs.device + [("now", .moment), ("waiting", .list(.object(DeviceOutputs.waiting)))])
    ) { arguments, console in
        let open = try OpenDevice(reading: arguments)
        let now = open.now
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.device(open.device)
                body.member("now", now.description)
                body.array("apps") { list in
                    for app in open.device.apps { list.object { $0.app(app, at: now) } }
                }
                body.array("waiting") { list in
                    for app in open.device.waiting { list.object { $0.waiting(app) } }
                }
                body.member("next", nil as String?)
            }
            return .done
        }
        var table = TextTable([
            .text("app"), .text("name"), .text("version"), .text("license"), .text("expires"), .text("launch"),
        ])
        for app in open.device.apps {
            table.add([
                app.item.description, app.name, app.version.description, app.license.map { String($0.id) } ?? "-",
                app.license.map { $0.term.end?.local ?? "never" } ?? "-", app.shortState(at: now),
            ])
        }
        for app in open.device.waiting {
            table.add([app.item.description, app.name, app.version.description, "-", "-", "waiting"])
        }
        console.answer(table)
        return .done
    }
}

extension InstalledApp {
    fileprivate func shortState(at now: Timestamp) -> String {
        switch launch(at: now) {
        case .launches: "yes"
        case .blocked(.noLicense): "no: no license"
        case .blocked(.ineligible): "no: not renewed"
        case .blocked(.expired): "no: expired"
        }
    }
}
