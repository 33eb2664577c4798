package import TenureCore
package import TenureServerKit
package import TenureStore

/// A version of a package to fetch from App Store Connect, with its progress.
package struct PackageImport: Sendable, Hashable {
    /// The stage that an import has reached.
    package enum State: String, Sendable, Hashable, CaseIterable, StorableCode {
        /// The import is queued, but its download hasn't started.
        case announced
        /// The package's files are being fetched.
        case fetching
        /// The import waits for the condition that ``PackageImport/cause`` names, and retries at
        /// ``PackageImport/nextAt``.
        case waiting
        /// The package is served.
        case ready
        /// The files are complete, but an operator must resolve the cause before the package can be served.
        case held
        /// The import has failed and isn't retried automatically.
        case failed
        /// The package was taken down before it was served.
        case withdrawn

        /// Whether the import has ended: the package is served or was taken down, or the import failed.
        package var isOver: Bool { self == .ready || self == .failed || self == .withdrawn }
    }

    package let tenant: TenantID
    /// App Store Connect's id of the package version.
    package let id: String
    /// App Store Connect's id of the package; `nil` if unknown.
    package var package: String?
    /// The app; `nil` if it's unknown and the manifest hasn't been read.
    package var item: AppleItemID?
    /// The version of the app; `nil` until the manifest has been read.
    package var version: AppleVersionID?
    /// The package version that is fetched; it differs from ``id`` if App Store Connect has replaced that version.
    package var source: String
    package var state: State
    /// A code for the condition that the import waits for, or for why it is held or failed; a remark if the package is
    /// served. It's `nil` if there's nothing to report.
    package var cause: String?
    /// The number of failures since the last progress.
    package var failures: Int
    /// When the server first learned of the package version.
    package let announcedAt: Timestamp
    /// The time of the last progress or failure.
    package var changedAt: Timestamp
    /// When the import is retried; `nil` if it is running or has ended.
    package var nextAt: Timestamp?
    /// The total size of the package's assets in bytes; 0 until the manifest has been read.
    package var size: Int64
    /// The id of the job that works on the import.
    package var job: String

    package init(
        tenant: TenantID, id: String, package: String?, item: AppleItemID?, version: AppleVersionID?,
        source:
            String, state: State, cause: String?, failures: Int, announcedAt: Timestamp, changedAt: Timestamp,
        nextAt: Timestamp?, size: Int64, job: String
    ) {
        self.tenant = tenant
        self.id = id
        self.package = package
        self.item = item
        self.version = version
        self.source = source
        self.state = state
        self.cause = cause
        self.failures = failures
        self.announcedAt = announcedAt
        self.changedAt = changedAt
        self.nextAt = nextAt
        self.size = size
        self.job = job
    }
}

extension PackageImport {
    /// Creates the import of a version that was just announced.
    package static func announced(
        _ id: String, package: String?, item: AppleItemID?, of tenant: TenantID, job: Job.ID, at now: Timestamp
    ) -> PackageImport {
        PackageImport(
            tenant: tenant, id: id, package: package, item: item, version: nil, source: id, state: .announced,
            cause: nil, failures: 0, announcedAt: now, changedAt: now, nextAt: nil, size: 0, job: job.text)
    }

    /// The result of one run of an import's job. Each text is a code for ``PackageImport/cause``.
    package enum Step: Sendable, Hashable {
        /// The run made progress, so the next run starts at once.
        case fetching
        /// The import waits for a condition that isn't a failure, and is checked again after this many seconds.
        case waiting(String, seconds: Int64)
        /// The run failed, but a later run may succeed, after at least this many seconds.
        case trouble(String, seconds: Int64)
        /// The files are complete, but the package can't be served yet. The job checks this again after this many
        /// seconds.
        case held(String, seconds: Int64)
        /// The package is served, possibly with a remark.
        case ready(String?)
        /// The import can never succeed.
        case failed(String)
        /// The package was taken down.
        case withdrawn
    }

    /// Returns the import after a run of its job.
    ///
    /// An import that was taken down doesn't change.
    ///
    /// - Parameter draw: A random number from ``RetryPlan/draws`` for the jitter.
    package func taking(_ step: Step, at now: Timestamp, draw: Int64) -> PackageImport {
        guard state != .withdrawn else { return self }
        var after = self
        (after.changedAt, after.nextAt, after.cause) = (now, nil, nil)
        switch step {
        case .fetching: (after.state, after.failures) = (.fetching, 0)
        case .waiting(let cause, let seconds):
            (after.state, after.cause, after.nextAt) = (.waiting, cause, now.adding(seconds: seconds))
        case .held(let cause, let seconds):
            (after.state, after.cause, after.nextAt) = (.held, cause, now.adding(seconds: seconds))
        case .trouble(let cause, let seconds):
            after.failures += 1
            after.cause = cause
            if let wait = Self.plan.wait(after: after.failures, draw: draw) {
                (after.state, after.nextAt) = (.waiting, now.adding(seconds: max(wait, seconds)))
            } else {
                after.state = .failed
            }
        case .ready(let remark): (after.state, after.cause, after.failures) = (.ready, remark, 0)
        case .failed(let cause): (after.state, after.cause) = (.failed, cause)
        case .withdrawn: after.state = .withdrawn
        }
        return after
    }

    /// Returns the import after a new request for it; `nil` if it needn't start again.
    ///
    /// A failed or withdrawn import starts again. A ready import starts again if its package's id wasn't known before.
    ///
    /// - Parameter package: App Store Connect's id of the package; `nil` if unknown.
    package func requested(by job: Job.ID, package: String? = nil, at now: Timestamp) -> PackageImport? {
        let isNamed = state == .ready && self.package == nil && package != nil
        guard state == .failed || state == .withdrawn || isNamed else { return nil }
        var after = self
        after.package = package ?? self.package
        (after.state, after.cause, after.failures, after.nextAt) = (.announced, nil, 0, nil)
        (after.changedAt, after.source, after.job) = (now, id, job.text)
        return after
    }

    /// Returns the import with the id of its package; `nil` if the id was known before or isn't given.
    func named(_ package: String?) -> PackageImport? {
        guard let package, self.package == nil else { return nil }
        var after = self
        after.package = package
        return after
    }

    /// The retries of an import, with waits in seconds; about two days in total.
    package static let plan = Job.RetryPlan(waits: [5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400])
}

extension PackageImport: Stored {
    package static let table = Table<PackageImport>(
        "package_imports", key: ["tenant", "id"],
        [
            Field("tenant") { $0.tenant }, Field("id") { $0.id }, Field("package") { $0.package },
            Field("item") { $0.item }, Field("version") { $0.version }, Field("source") { $0.source },
            Field("state") { $0.state }, Field("cause") { $0.cause }, Field("failures") { $0.failures },
            Field("announced_at") { $0.announcedAt }, Field("changed_at") { $0.changedAt },
            Field("next_at") { $0.nextAt }, Field("size") { $0.size }, Field("job") { $0.job },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)],
        indexes: [TableIndex("of_app", "tenant", "item", "id"), TableIndex("by_state", "state", "tenant", "id")]
    ) { row in
        PackageImport(
            tenant: try row.next(), id: try row.next(), package: try row.next(), item: try row.next(),
            version: try row.next(), source: try row.next(), state: try row.next(), cause: try row.next(),
            failures: try row.next(), announcedAt: try row.next(), changedAt: try row.next(), nextAt: try row.next(),
            size: try row.next(), job: try row.next())
    }

    package static let ofTenant = table.set("of_tenant", "tenant")
    package static let ofApp = table.set("of_app", "tenant", "item")
    package static let inState = table.set("in_state", "state")
}
