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
                let location = try StoreLocation.named(by: arguments)
                let file = try location.masterKeyFile(arguments)
                switch location {
                case .folder(let path):
                    let folder = try DataFolder.installed(path)
                    findings = [FolderCheck.run(folder), DiskCheck.run(folder), LockCheck.run(folder)]
                case .postgres:
                    findings = [.ok("folder, disk, server", "not checked: the database manages them")]
                }
                findings += await store(
                    installations, location, file, arguments, deep: arguments[deep] ? console : nil
                ).map { if case .postgres = location { $0.ofDatabase } else { $0 } }
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
        _ installations: Installations, _ location: StoreLocation, _ file: MasterKeyFile, _ arguments: Parsed,
        deep console: Console?
    ) async -> [Finding] {
        let store: any Store
        let database = DatabaseCheck(HistoryFolder(path: arguments[SharedOptions.data]))
        do throws(StoreError) {
            store = try await installations.engines.open(location, creating: false, observer: database.observer)
        } catch {
            return [.failure("store", error)]
        }
        let features = installations.features
        let virtualClock = arguments[SharedOptions.clock]
        var context = ConcernContext(
            features: features, store: store, location: location, now: now(virtualClock), arguments: arguments)
        let read = await StoreCheck.run(store, of: features) + RewoundCheck.run(store)
        var findings = database.findings() + read
        findings += await StandbyCheck.run(store)
        if let jobs = await JobCheck.run(store) { findings.append(jobs) }
        for attention in features.attention {
            if let finding = await attention.finding(in: store, at: context.now) { findings.append(finding) }
        }
        findings += await features.findings(at: .records, in: context)
        findings += await KeyCheck.run(file, in: &context)
        findings += await features.findings(at: .keys, in: context)
        if let catalog = context.catalog { findings += SupportCheck.run(catalog.catalog) }
        findings.append(await ClockCheck.run(store, virtualClock: virtualClock))
        if let console { findings += await DeepCheck.run(context, file, console: console) }
        await store.close()
        return findings
    }

    /// Returns the time of the virtual clock, or the system's time without a readable virtual clock.
    private static func now(_ virtualClock: String?) -> Timestamp {
        let clock: (any WallClock)? = virtualClock.flatMap { path in try? VirtualClock(path: path) }
        return (clock ?? SystemClock()).now()
    }
}
