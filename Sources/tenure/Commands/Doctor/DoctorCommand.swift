import TenureCommandLine
import TenureSQLite
import TenureServer
import TenureStore

/// `tenure doctor`
enum DoctorCommand {
    private static let strict = Argument.flag("strict", "End with 1 for warnings too.")

    static let command = Command(
        "doctor", "Looks at folder, store, keys, clock and disk, and says what to do.",
        discussion: "Changes nothing. Ends with 0 when there is nothing worse than a warning.",
        example: "tenure doctor --data ./tenure-data",
        arguments: [strict, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        var findings: [Finding] = []
        do throws(CommandError) {
            let folder = try DataFolder.existing(arguments[SharedOptions.data])
            findings = [FolderCheck.run(folder), DiskCheck.run(folder), LockCheck.run(folder)]
            let file = MasterKeyFile(path: arguments[SharedOptions.masterKey] ?? folder.standardMasterKey)
            findings += await store(folder, file, virtualClock: arguments[SharedOptions.clock])
        } catch {
            findings = [.failure("folder", error.description, cure: "Name the right folder with --data DIR.")]
        }
        for finding in findings { console.answer(finding, asJSON: arguments[SharedOptions.json]) }
        let failed = findings.contains { $0.level == .failure }
        let warned = findings.contains { $0.level == .warning }
        return failed || (warned && arguments[strict]) ? .failed : .done
    }

    private static func store(
        _ folder: DataFolder, _ file: MasterKeyFile, virtualClock: String?
    ) async -> [Finding] {
        let store: SQLiteStore
        do throws(StoreError) {
            store = try SQLiteStore.open(path: folder.database, mode: .existing)
        } catch {
            return [
                .failure(
                    "store", error.message, cure: "See the message; a copy can be put back with `tenure restore FILE`.")
            ]
        }
        var findings = await StoreCheck.run(store)
        findings += await KeyCheck.run(store, file)
        findings.append(await ClockCheck.run(store, virtualClock: virtualClock))
        await store.close()
        return findings
    }
}
