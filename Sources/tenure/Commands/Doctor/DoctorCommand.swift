import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServerKit
import TenureStore

/// The command `tenure doctor`.
enum DoctorCommand {
    private static let strict = Argument.flag("strict", "Exit with 1 for warnings, too.")

    private static let deep = Argument.flag(
        "deep", "Also read every row, and report invalid values by table, row and column.")

    static func command(_ installations: Installations) -> Command {
        Command(
            "doctor", "Checks folder, store, keys, packages, clock and disk, and says what to do.",
            discussion: """
                Changes nothing. Exits with 0 if there is nothing worse than a warning. --deep takes as long as reading \
                the whole store; a server may keep running.
                """,
            example: "tenure doctor --data ./tenure-data",
            arguments: [strict, deep, SharedOptions.packages, SharedOptions.json] + SharedOptions.installation
        ) { arguments, console in
            var findings: [Finding] = []
            do throws(CommandError) {
                let place = try StorePlace.named(by: arguments)
                let file = try place.masterKeyFile(arguments)
                switch place {
                case .folder(let path):
                    let folder = try DataFolder.existing(path)
                    findings = [FolderCheck.run(folder), DiskCheck.run(folder), LockCheck.run(folder)]
                case .postgres:
                    findings = [.ok("folder, disk, server", "not checked: the database manages them")]
                }
                let isGuessed =
                    place.isShared && arguments[SharedOptions.packages] == nil && !arguments.isNamed(SharedOptions.data)
                findings += await store(
                    installations,
                    place, file, packages: (arguments.packagesPath, isGuessed),
                    virtualClock: arguments[SharedOptions.clock],
                    deep: arguments[deep] ? console : nil)
            } catch {
                findings = [.failure("folder", error.description, cure: "Choose the right folder with --data DIR.")]
            }
            if let source = StorePlace.source(in: arguments) {
                findings.insert(.ok("installation", "named by \(source)"), at: 0)
            }
            for finding in findings { console.answer(finding, asJSON: arguments[SharedOptions.json]) }
            let failed = findings.contains { $0.level == .failure }
            let warned = findings.contains { $0.level == .warning }
            return failed || (warned && arguments[strict]) ? .failed : .done
        }
    }

    private static func store(
        _ installations: Installations, _ place: StorePlace, _ file: MasterKeyFile,
        packages: (path: String, isGuessed: Bool), virtualClock: String?,
        deep console: Console?
    ) async -> [Finding] {
        let store: any Store
        do throws(StoreError) {
            store = try await installations.engines.open(place, creating: false)
        } catch {
            return [
                .failure(
                    "store", error.message,
                    cure:
                        "See the message. Restore a backup with `tenure restore FILE`, or with the database's own tools."
                )
            ]
        }
        var findings = await StoreCheck.run(store)
        findings.append(await JobCheck.run(store))
        findings.append(await AccountCheck.run(store))
        findings.append(await DeviceCheck.run(store, at: Self.now(virtualClock)))
        findings += await KeyCheck.run(store, file, of: place)
        findings += await PackageCheck.run(store, at: packages.path, isGuessed: packages.isGuessed)
        findings.append(await ClockCheck.run(store, virtualClock: virtualClock))
        if let console { findings += await DeepCheck.run(store, file, at: now(virtualClock), console: console) }
        await store.close()
        return findings
    }

    /// Returns the virtual clock's time, or the system's if that clock can't be read.
    ///
    /// The clock's own check reports what is wrong with it.
    private static func now(_ virtualClock: String?) -> Timestamp {
        let clock: (any WallClock)? = virtualClock.flatMap { path in try? VirtualClock(path: path) }
        return (clock ?? SystemClock()).now()
    }
}

/// The result of one check.
struct Finding {
    enum Level: String {
        case ok, warning, failure
    }

    let level: Level
    /// What was checked, in a word or two.
    let subject: String
    /// What was found.
    let message: String
    /// What to do about it; empty if nothing needs to be done.
    let cure: String

    static func ok(_ subject: String, _ message: String) -> Finding {
        Finding(level: .ok, subject: subject, message: message, cure: "")
    }

    static func warning(_ subject: String, _ message: String, cure: String) -> Finding {
        Finding(level: .warning, subject: subject, message: message, cure: cure)
    }

    static func failure(_ subject: String, _ message: String, cure: String) -> Finding {
        Finding(level: .failure, subject: subject, message: message, cure: cure)
    }
}

extension Console {
    func answer(_ finding: Finding, asJSON: Bool) {
        guard !asJSON else {
            answer { body in
                body.member("level", finding.level.rawValue)
                body.member("subject", finding.subject)
                body.member("message", finding.message)
                body.member("cure", finding.cure)
            }
            return
        }
        let mark =
            switch finding.level {
            case .ok: "ok      "
            case .warning: "warning "
            case .failure: "FAILURE "
            }
        answer("\(mark) \(finding.subject): \(finding.message)")
        if !finding.cure.isEmpty { answer("          -> \(finding.cure)") }
    }
}
