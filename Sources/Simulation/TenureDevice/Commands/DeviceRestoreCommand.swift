import TenureCommandLine
import TenureCore
import TenureFormats
import TenureMarketplace

enum DeviceRestoreCommand {
    private static let new = Argument.required("to", "NEW", "The new device's folder.", as: .text)
    private static let model: Argument<String?> = .optional(
        "model", "MODEL", "The new device's model; default: the same model.", as: .text)
    private static let system: Argument<String?> = .optional(
        "os", "VERSION", "The new device's iOS version; default: the same version.", as: .text)

    static let command = Command(
        "restore", "Restores a device's apps on a new device, as from a backup.",
        discussion: """
            The new device gets the account and the icons, but no tokens or licenses. It then asks the marketplace \
            for each app in the version that the old device had. If the marketplace requires an account, no app is \
            installed until the user signs in: pass the token's file here, or sign in later. Icons of missing apps \
            stay darkened; 'device tap' and the next 'device day' ask for them again. Exits with 1 while an app is \
            missing.
            """,
        example: "tenure device restore phone --to phone-2 --token-file ada.token",
        arguments: [DeviceOptions.folder, new, DeviceOptions.tokenFile, model, system, SharedOptions.json],
        output: OutputType.object(DeviceOutputs.device + DeviceOutputs.restored)
    ) { arguments, console in
        let old = try OpenDevice(reading: arguments).device
        var device = old.restored(
            model: arguments[model] ?? old.model, systemVersion: arguments[system] ?? old.systemVersion)
        device.tokenFile = arguments[DeviceOptions.tokenFile].map(RememberedPath.absolute)
        let folder = DeviceFolder(arguments[new])
        try folder.create(device)
        var open = try OpenDevice(folder)
        let bar = console.installBar()
        let now = open.now
        let outcomes = await open.session.restore(into: folder.files, at: now, meter: { bar.meter() })
        bar.line.clear()
        try open.save()
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.device(open.device)
                body.restored(outcomes, at: now)
            }
        } else {
            console.answer("created \(device.model) with iOS \(device.systemVersion) in \(folder.path)")
            console.answer(lines: outcomes.flatMap { $0.lines(marketplace: device.marketplaceTitle) })
        }
        return open.device.waiting.isEmpty ? .done : .failed
    }
}

extension RestoredApp {
    /// The result as text, with the system's alert if there is one.
    func lines(marketplace: String) -> [String] {
        switch outcome {
        case .installed(let done): return ["restored \(app.name) \(done.manifest.shortVersion)"]
        case .waits(let error, let prompt):
            guard let prompt else { return ["\(app.name) stays darkened: \(error.message)"] }
            let words = prompt.words(app: app.name, marketplace: marketplace)
            return ["\(app.name) stays darkened: \(words.title): \(words.message)"]
        }
    }
}

extension JSONObjectWriter {
    /// Writes the results of restoring apps.
    mutating func restored(_ outcomes: [RestoredApp], at now: Timestamp) {
        array("restored") { list in
            for outcome in outcomes {
                guard case .installed(let done) = outcome.outcome else { continue }
                list.object { $0.finished(done, at: now) }
            }
        }
        array("stillWaiting") { list in
            for outcome in outcomes {
                guard case .waits(let error, let prompt) = outcome.outcome else { continue }
                list.object { body in
                    body.waiting(outcome.app)
                    body.member("prompt", prompt?.words(app: outcome.app.name, marketplace: "").title)
                    body.end(error)
                }
            }
        }
    }

    /// Writes an app that isn't installed yet.
    mutating func waiting(_ app: WaitingApp) {
        member("appleItemID", app.item.description)
        member("appleVersionID", app.version.description)
        member("bundleID", app.bundleID)
        member("name", app.name)
        member("reason", app.reason)
    }
}
