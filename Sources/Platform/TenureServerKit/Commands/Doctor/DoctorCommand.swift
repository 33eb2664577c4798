import TenureCommandLine
import TenureCore
import TenureStore

/// The command `tenure doctor`.
enum DoctorCommand {
    private static let strict = Argument.flag("strict", "Exit with 1 for warnings, too.")

    private static let deep = Argument.flag(
        "deep", "Also read every row, and report invalid values by table, row and column.")

    static func command(_ installations: Installations) -> Command {
        let concerns = installations.features.all.flatMap(\.concerns)
        let subjects = ["folder", "store", "keys"] + concerns.compactMap(\.title) + ["clock and disk"]
        return Command(
            "doctor", "Checks \(subjects.joined(separator: ", ")), and says what to do.",
            discussion: """
                Changes nothing. Exits with 0 if there is nothing worse than a warning. --deep takes as long as reading \
                the whole store; a server may keep running.
                """,
            example: "tenure doctor --data ./tenure-data",
            arguments: [strict, deep] + concerns.flatMap(\.arguments) + [SharedOptions.json]
                + SharedOptions.installation,
            output: Schema.output([
                ("level", .choice(Finding.Level.allCases.map(\.rawValue))), ("subject", .text()), ("message", .text()),
                ("cure", .text()),
            ])
        ) { arguments, console in
            var findings: [Finding] = []
            do throws(CommandError) {
                let place = try StoreLocation.named(by: arguments)
                let file = try place.masterKeyFile(arguments)
                switch place {
                case .folder(let path):
                    let folder = try DataFolder.installed(path)
                    findings = [FolderCheck.run(folder), DiskCheck.run(folder), LockCheck.run(folder)]
                case .postgres:
                    findings = [.ok("folder, disk, server", "not checked: the database manages them")]
                }
                findings += await store(
                    installations, place, file, arguments, deep: arguments[deep] ? console : nil)
            } catch {
                findings = [.failure("folder", error.description, cure: "")]
            }
            if let source = StoreLocation.source(in: arguments) {
                findings.insert(.ok("installation", "named by \(source)"), at: 0)
            }
            for finding in findings {
                console.answer(
                    finding.naming(arguments.installationOptions), asJSON: arguments[SharedOptions.json])
            }
            let failed = findings.contains { $0.level == .failure }
            let warned = findings.contains { $0.level == .warning }
            return failed || (warned && arguments[strict]) ? .failed : .done
        }
    }

    private static func store(
        _ installations: Installations, _ place: StoreLocation, _ file: MasterKeyFile, _ arguments: Parsed,
        deep console: Console?
    ) async -> [Finding] {
        let store: any Store
        do throws(StoreError) {
            store = try await installations.engines.open(place, creating: false)
        } catch {
            return [.failure("store", error)]
        }
        let features = installations.features
        let virtualClock = arguments[SharedOptions.clock]
        var context = ConcernContext(
            features: features, store: store, place: place, now: now(virtualClock), arguments: arguments)
        var findings = await StoreCheck.run(store, of: features)
        findings += await RewoundCheck.run(store)
        findings.append(await JobCheck.run(store))
        findings += await features.findings(at: .records, in: context)
        findings += await KeyCheck.run(file, in: &context)
        findings += await features.findings(at: .keys, in: context)
        if let catalog = context.catalog { findings += SupportCheck.run(catalog.catalog) }
        findings.append(await ClockCheck.run(store, virtualClock: virtualClock))
        if let console { findings += await DeepCheck.run(context, file, console: console) }
        await store.close()
        return findings
    }

    /// Returns the virtual clock's time, or the system's time if there's no readable virtual clock.
    private static func now(_ virtualClock: String?) -> Timestamp {
        let clock: (any WallClock)? = virtualClock.flatMap { path in try? VirtualClock(path: path) }
        return (clock ?? SystemClock()).now()
    }
}
