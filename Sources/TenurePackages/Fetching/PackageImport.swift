package import TenureCore
package import TenureServerKit
package import TenureStore

/// A version of a package that is to be fetched from App Store Connect, and how far that is.
package struct PackageImport: Sendable, Hashable {
    /// How far it is.
    package enum State: String, Sendable, Hashable, CaseIterable, StorableCode {
        /// It is known that it is there.
        case announced
        /// Its files are being fetched.
        case fetching
        /// Something has to happen first that its cause names; it is tried again at its next moment.
        case waiting
        /// It is served.
        case ready
        /// Its files are here, and it is not served, for a cause that an operator can end.
        case held
        /// It is not tried again by itself.
        case failed
        /// It was taken down before it was served.
        case withdrawn

        /// Whether nothing is done for it any more.
        package var isOver: Bool { self == .ready || self == .failed || self == .withdrawn }
    }

    /// Whose marketplace.
    package let tenant: TenantID
    /// What App Store Connect calls the version of the package.
    package let id: String
    /// What it calls the package; nil where nobody has told.
    package var package: String?
    /// Which app; nil where nobody has told, and the manifest was not read.
    package var item: AppleItemID?
    /// Which version of the app; nil until the manifest was read.
    package var version: AppleVersionID?
    /// The version of the package that is fetched: another one where App Store Connect has replaced this one.
    package var source: String
    /// How far it is.
    package var state: State
    /// Why it waits, is held or failed; nil for nothing.
    package var cause: String?
    /// How often it failed since it last came any further.
    package var failures: Int
    /// When it was first heard of.
    package let announcedAt: Timestamp
    /// When it last came any further, or last failed.
    package var changedAt: Timestamp
    /// When it is tried again; nil where it is not, or is under way.
    package var nextAt: Timestamp?
    /// Bytes of its assets; 0 until the manifest was read.
    package var size: Int64
    /// The job that works on it.
    package var job: String

    /// Puts it together.
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
    /// One that was just heard of.
    package static func announced(
        _ id: String, package: String?, item: AppleItemID?, of tenant: TenantID, job: JobID, at now: Timestamp
    ) -> PackageImport {
        PackageImport(
            tenant: tenant, id: id, package: package, item: item, version: nil, source: id, state: .announced,
            cause: nil, failures: 0, announcedAt: now, changedAt: now, nextAt: nil, size: 0, job: job.text)
    }

    /// What came of a piece of the work.
    package enum Step: Sendable, Hashable {
        /// It went on.
        case fetching
        /// Something has to happen first that is nobody's fault; it is looked at again after so many seconds.
        case waiting(String, seconds: Int64)
        /// It came to nothing, and may another time; not before so many seconds have passed.
        case trouble(String, seconds: Int64)
        /// Its files are here; it is looked at again after so many seconds whether it can be served.
        case held(String, seconds: Int64)
        /// It is served, perhaps with a remark.
        case ready(String?)
        /// It never will be.
        case failed(String)
        /// It was taken down.
        case withdrawn
    }

    /// The import after a piece of its work; one that was taken down stays so, whoever worked on it.
    /// - Parameter draw: Drawn from ``RetryPlan/draws``.
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

    /// The import when it is wanted again: one that is over is begun anew, except a ready one whose package is known.
    /// - Parameter package: What App Store Connect calls the package; nil where nobody tells.
    package func wanted(by job: JobID, package: String? = nil, at now: Timestamp) -> PackageImport? {
        let isNamed = state == .ready && self.package == nil && package != nil
        guard state == .failed || state == .withdrawn || isNamed else { return nil }
        var after = self
        after.package = package ?? self.package
        (after.state, after.cause, after.failures, after.nextAt) = (.announced, nil, 0, nil)
        (after.changedAt, after.source, after.job) = (now, id, job.text)
        return after
    }

    /// The import under way with the name of its package, where that was not known; nil where it was, or is not told.
    func named(_ package: String?) -> PackageImport? {
        guard let package, self.package == nil else { return nil }
        var after = self
        after.package = package
        return after
    }

    /// When what failed is tried again: for two days.
    package static let plan = RetryPlan(waits: [5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400])
}

extension PackageImport: Stored {
    /// Packages that were or are being fetched.
    package static let table = Table<PackageImport>(
        "package_imports", key: ["tenant", "id"],
        [
            Field("tenant") { $0.tenant }, Field("id") { $0.id }, Field("package") { $0.package },
            Field("item") { $0.item }, Field("version") { $0.version }, Field("source") { $0.source },
            Field("state") { $0.state }, Field("cause") { $0.cause }, Field("failures") { $0.failures },
            Field("announced_at") { $0.announcedAt }, Field("changed_at") { $0.changedAt },
            Field("next_at") { $0.nextAt }, Field("size") { $0.size }, Field("job") { $0.job },
        ],
        parents: [TenantRow.table.shape]
    ) { row throws(StoreError) in
        PackageImport(
            tenant: try row.next(), id: try row.next(), package: try row.next(), item: try row.next(),
            version: try row.next(), source: try row.next(), state: try row.next(), cause: try row.next(),
            failures: try row.next(), announcedAt: try row.next(), changedAt: try row.next(), nextAt: try row.next(),
            size: try row.next(), job: try row.next())
    }

    /// A tenant's.
    package static let ofTenant = table.set("of_tenant", "tenant")
    /// Those of an app.
    package static let ofApp = table.set("of_app", "tenant", "item")
    /// Those in a state.
    package static let inState = table.set("in_state", "state")
}
