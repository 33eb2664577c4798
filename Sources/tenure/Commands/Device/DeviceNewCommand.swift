import TenureCommandLine
import TenureCore
import TenureDevice

/// `tenure device new`
enum DeviceNewCommand {
    private static let account: Argument<String?> = .optional(
        "account", "ID", "The person's account at the marketplace.", as: .text)

    static let command = Command(
        "new", "Makes a device in a new folder.",
        discussion: """
            The device remembers the server, the account and the clock; the token stays in its file and is read at each \
            request. URLs of the marketplace's domain are asked of the server, whatever their scheme and port.
            """,
        example: "tenure device new phone --server http://127.0.0.1:8080 --clock clock",
        arguments: [
            DeviceOptions.folder, DeviceOptions.server, DeviceOptions.domain, account, DeviceOptions.tokenFile,
            DeviceOptions.model, DeviceOptions.system, SharedOptions.clock, SharedOptions.json,
        ]
    ) { arguments, console in
        var device = Device(
            model: arguments[DeviceOptions.model], systemVersion: arguments[DeviceOptions.system],
            server: try DeviceOptions.address(arguments))
        if let text = arguments[account] {
            guard let account = AccountID(text) else { throw UsageError("--account: write 1 to 128 bytes of text") }
            device.account = account
        }
        device.tokenFile = arguments[DeviceOptions.tokenFile].map(OpenDevice.absolute)
        device.clockFile = arguments[SharedOptions.clock].map(OpenDevice.absolute)
        if let path = device.clockFile { _ = try VirtualClock(path: path) }
        if let path = device.tokenFile { _ = try OpenDevice.token(in: path) }
        let folder = DeviceFolder(arguments[DeviceOptions.folder])
        try folder.create(device)
        console.answer(
            "made \(device.model) with iOS \(device.systemVersion) in \(folder.path), at home on \(device.server.text)",
            asJSON: arguments[SharedOptions.json]
        ) { $0.device(device) }
        return .done
    }
}
