import TenureCommandLine
import TenureCore

enum DeviceInstallCommand {
    private static let package: Argument<String?> = .optional(
        "package", "PATH|URL", "The package: a URL, a folder, or only a manifest.json.", as: .text)
    private static let name: Argument<String?> = .optional(
        "name", "NAME", "The app's name in alerts; default: the last part of its bundle id.", as: .text)

    static let command = Command(
        "install", "Installs an app, or another version of it, with a license for this device.",
        discussion: """
            With --package URL, or with --item alone, the app's file is downloaded. --item alone asks the \
            marketplace for an install token. Then, as on an iPhone, the restore endpoint names the package's \
            address. A delta from the installed version is used \
            if there is one, otherwise the whole variant. The variant is the one for the device's model with the \
            highest iOS version that the device supports. Each chunk is compared with the manifest as it arrives, \
            and an interrupted download is resumed. The old version stays until the whole file is verified.

            From a folder the file is copied. With only a manifest, or with --version and --asset, there is a \
            license but no file. Without a license nothing is installed: the marketplace may not sell the app to \
            this account, or the device limit is reached. The server's events say which.
            """,
        example: """
            tenure device install phone --package packages/game-1
            tenure device install phone --item 6483539426
            """,
        arguments: [
            DeviceOptions.folder, PackageReading.item, package, PackageReading.version, PackageReading.asset, name,
            SharedOptions.json,
        ],
        output: OutputType.either(
            [DeviceOutputs.installed, DeviceOutputs.app, DeviceOutputs.failed].map { .object($0) })
    ) { arguments, console in
        var open = try OpenDevice(arguments)
        let now = open.now
        // A user installs apps in the marketplace's app. When that app starts, it requests the list of licenses to
        // renew.
        if open.session.hasAccount { _ = try? await open.session.watchLicenses(isStart: true, at: now) }
        guard let (source, version) = try await source(arguments, &open, at: now) else {
            return try await licenseAlone(arguments, &open, console)
        }
        let bar = console.installBar()
        let options = InstallOptions(
            asset: arguments[PackageReading.asset], name: arguments[name],
            promised: arguments[PackageReading.item].map { ($0, version) }, requestsRestore: true,
            isOffered: arguments[package] == nil)
        let done: FinishedInstall
        do throws(DeviceError) {
            done = try await open.session.install(source, options, into: open.folder.files, at: now, meter: bar.meter())
        } catch {
            bar.line.clear()
            return try console.end(error, asJSON: arguments[SharedOptions.json])
        }
        bar.line.clear()
        try open.save()
        if arguments[SharedOptions.json] {
            console.answer { $0.finished(done, at: now) }
        } else {
            console.answer(lines: done.lines(on: open.device, at: now))
        }
        return .done
    }

    /// Returns the package to install and the app's version, if it's known; `nil` if app, version and variant are named
    /// separately.
    private static func source(
        _ arguments: Parsed, _ open: inout OpenDevice, at now: Timestamp
    ) async throws -> (PackageSource, AppleVersionID?)? {
        if let text = arguments[package] { return (PackageSource(text), arguments[PackageReading.version]) }
        guard let item = arguments[PackageReading.item] else {
            throw UsageError("give --package PATH|URL, --item, or --item with --version and --asset")
        }
        if arguments[PackageReading.asset] != nil {
            guard arguments[PackageReading.version] != nil else {
                throw UsageError("without --package, --asset also needs --version")
            }
            return nil
        }
        let offer = try await open.session.offer(of: item, version: arguments[PackageReading.version], at: now)
        return (.web(offer.package), offer.version)
    }

    private static func licenseAlone(
        _ arguments: Parsed, _ open: inout OpenDevice, _ console: Console
    ) async throws -> ExitCode {
        let requestedApp = try PackageReading.named(arguments)
        let now = open.now
        guard let app = try await open.session.install(requestedApp, bundleID: nil, at: now) else {
            throw CommandError(
                "The marketplace does not license app \(requestedApp.item) version \(requestedApp.version) to this account and device."
            )
        }
        try open.save()
        if arguments[SharedOptions.json] {
            console.answer { $0.app(app, at: now) }
        } else {
            console.answer("installed app \(app.item) version \(app.version)")
            console.answer("  license  \(app.license.map { String($0.id) } ?? "-"), \(app.endWords(at: now))")
        }
        return .done
    }
}
