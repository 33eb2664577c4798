import TenureCommandLine
import TenureCore
import TenureDevice

/// `tenure device install`
enum DeviceInstallCommand {
    static let command = Command(
        "install", "Installs an app, or another version of it, with a license for this device.",
        discussion: """
            The variant is the one for the device's model whose iOS is the highest not above the device's. Without a \
            license nothing is installed: the marketplace may not sell the app to this account, or its device limit is \
            reached; the server's events say which.
            """,
        example: "tenure device install phone --package packages/game-1",
        arguments: [DeviceOptions.folder] + PackageReading.arguments + [SharedOptions.json]
    ) { arguments, console in
        var open = try OpenDevice(arguments)
        let choice = try PackageReading.choice(arguments, model: open.device.model, system: open.device.systemVersion)
        let now = open.now
        guard let app = try await open.session.install(choice.wanted, bundleID: choice.bundleID, at: now)
        else {
            throw CommandError("The marketplace does not license \(choice.title) to this account and device.")
        }
        try open.save()
        if arguments[SharedOptions.json] {
            console.answer { $0.app(app, at: now) }
            return .done
        }
        console.answer("installed \(choice.title)")
        console.answer("  app      \(app.item), version \(app.version)")
        let target = choice.variant.map { ", for \(open.device.model) with iOS \($0.bucket) or later" } ?? ""
        console.answer("  variant  \(app.asset)\(target)")
        console.answer("  license  \(app.license.map { String($0.id) } ?? "-"), \(app.endWords(at: now))")
        return .done
    }
}
