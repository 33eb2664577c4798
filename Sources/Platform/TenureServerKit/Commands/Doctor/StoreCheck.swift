import Glibc
import TenureFiles
import TenureStore

/// Checks the schema and the integrity of the store, and reports the store's contents.
enum StoreCheck {
    static func run(_ store: any Store, of features: FeatureSet) async -> [Finding] {
        do throws(StoreError) {
            let faults = try await features.faults(in: store)
            guard faults.isEmpty else {
                return [
                    .failure(
                        "store", faults.joined(separator: "; "),
                        cure:
                            "Stop the server, keep the file, and restore the latest backup with `tenure restore FILE --replace`."
                    )
                ]
            }
            var contents: [String] = []
            for feature in features.all { contents += try await feature.counts(store) }
            contents.append("latest event \(try await ContinueEvents.last(of: store).listed)")
            return [
                .ok("schema", features.schema.identifiers.last ?? "none"),
                .ok("store", "intact; \(contents.joined(separator: ", "))"),
            ]
        } catch {
            return [.failure("store", error)]
        }
    }
}

/// Checks that only the data folder's owner can read and write the folder.
enum FolderCheck {
    static func run(_ folder: DataFolder) -> Finding {
        var facts = stat()
        guard stat(folder.path, &facts) == 0 else {
            return .failure(
                "folder", "\(folder.path): \(DataFolder.reason(errno))",
                cure: "Choose the right folder with --data DIR.")
        }
        guard facts.st_mode & 0o022 == 0 else {
            return .warning(
                "folder",
                "users other than its owner may write in \(folder.path), so they can replace or remove the database",
                cure: "Run chmod 700 \(folder.path), then check its files with `tenure doctor --deep`.")
        }
        guard facts.st_mode & 0o077 == 0 else {
            return .warning(
                "folder", "users other than its owner may read \(folder.path)", cure: "Run chmod 700 \(folder.path).")
        }
        return .ok("folder", "\(folder.path), owned by user \(facts.st_uid)")
    }
}

enum DiskCheck {
    static func run(_ folder: DataFolder) -> Finding {
        var facts = statvfs()
        guard statvfs(folder.path, &facts) == 0 else {
            return .warning("disk", "free space is unknown: \(DataFolder.reason(errno))", cure: "Check it with df.")
        }
        var file = stat()
        let size = stat(folder.database, &file) == 0 ? Int(file.st_size) : 0
        let free = Int(facts.f_bavail) * Int(facts.f_frsize)
        let text = "\(free >> 20) MiB free, the store takes \(size >> 20) MiB"
        if free < 1 << 20 {
            return .failure(
                "disk", text,
                cure:
                    "Free some space now: nothing can be written. The server continues automatically once there is space."
            )
        }
        // A checkpoint and a backup next to the store may each need as much space as the store.
        if free < max(256 << 20, size * 2) {
            return .warning(
                "disk", text,
                cure:
                    "Free some space: backups need as much as the store's size, and with none left every change fails.")
        }
        return .ok("disk", text)
    }
}

enum LockCheck {
    static func run(_ folder: DataFolder) -> Finding {
        .ok("server", folder.isServed ? "one is running" : "none is running")
    }
}

/// Checks whether the store returned to an older state that no operator has resolved yet.
enum RewoundCheck {
    static func run(_ store: any Store) async -> [Finding] {
        do throws(StoreError) {
            let plan = HistorySettings.plan
            guard let rewound = plan.queries.rewound(in: try await store.fetch(plan.bind())) else { return [] }
            return [.failure("history", rewound.message, cure: RewoundStore.cure)]
        } catch {
            return [.failure("history", error)]
        }
    }
}

/// Checks whether commits wait for a synchronous standby that is unavailable.
enum StandbyCheck {
    static func run(_ store: any Store) async -> [Finding] {
        do throws(StoreError) {
            guard let wait = try await store.view(StandbyWait.query).first else { return [] }
            return [.failure("standby", wait.message, cure: StandbyWait.cure)]
        } catch {
            return [.failure("standby", error)]
        }
    }
}

/// Counts the unfinished background jobs. If a job failed, ``Attention/failedJobs`` reports it instead.
enum JobCheck {
    static func run(_ store: any Store) async -> Finding? {
        do throws(StoreError) {
            guard try await store.jobs([.failed], limit: 1).isEmpty else { return nil }
            let open = try await store.jobs([.running, .waiting], limit: Attention.most).count
            return .ok(
                "jobs", open == Attention.most ? "\(open) or more are open" : "\(open) are open, none has failed")
        } catch {
            return .failure("jobs", error)
        }
    }
}
