import TenureCommandLine
import TenureCore
import TenureDevice
import TenureFormats

/// `tenure device list`
enum DeviceListCommand {
    static let command = Command(
        "list", "Lists the apps on a device and their licenses.", example: "tenure device list phone",
        arguments: [DeviceOptions.folder, SharedOptions.json]
    ) { arguments, console in
        let open = try OpenDevice(arguments)
        let now = open.now
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.device(open.device)
                body.member("now", now.description)
                body.array("apps") { list in
                    for app in open.device.apps { list.object { $0.app(app, at: now) } }
                }
            }
            return .done
        }
        var table = Table([
            .text("app"), .text("name"), .text("version"), .text("license"), .text("expires"), .text("launch"),
        ])
        for app in open.device.apps {
            table.add([
                app.item.description, app.name, app.version.description, app.license.map { String($0.id) } ?? "-",
                app.license.map { $0.term.end?.description ?? "never" } ?? "-", app.shortState(at: now),
            ])
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
