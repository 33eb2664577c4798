package import TenureCore
package import TenureStore

/// A kind of problem that waits for the operator, such as failed jobs.
///
/// `tenure doctor`, `tenure status` and `/metrics` report it. The report names no person.
package struct Attention: Sendable {
    /// The records of one tenant that wait for the operator.
    package struct Item: Sendable, Hashable {
        /// The tenant; `nil` for the server itself.
        package let tenant: TenantID?
        /// The number of waiting records, at most ``Attention/most``.
        package var count: Int
        /// The time since which the oldest waiting record has been waiting.
        package var oldest: Timestamp
        /// Facts about the waiting records for the sentence, such as the kinds of the jobs.
        package var details: Set<String>

        package init(tenant: TenantID?, count: Int, oldest: Timestamp, details: Set<String> = []) {
            self.tenant = tenant
            self.count = count
            self.oldest = oldest
            self.details = details
        }
    }

    /// The name in metrics and JSON, such as `failed_jobs`.
    package let name: String
    /// The subject of the sentence, in a word or two, as in ``Finding/subject``.
    package let subject: String
    /// What the operator should do.
    package let remedy: String
    /// Reads the waiting records, as one item per tenant.
    package let read: @Sendable (any Store, _ now: Timestamp) async throws(StoreError) -> [Item]
    private let sentence: @Sendable (_ all: Item, _ number: String) -> String

    /// Declares a kind of problem that waits for the operator.
    ///
    /// - Parameter sentence: Returns a sentence about the waiting records, given the items of all tenants merged into
    ///   one, and their number as text.
    package init(
        _ name: String, subject: String, remedy: String,
        sentence: @escaping @Sendable (_ all: Item, _ number: String) -> String,
        read: @escaping @Sendable (any Store, _ now: Timestamp) async throws(StoreError) -> [Item]
    ) {
        self.name = name
        self.subject = subject
        self.remedy = remedy
        self.sentence = sentence
        self.read = read
    }

    /// The maximum number of rows that are read and counted for each kind of waiting record.
    package static let most = 1_000

    /// A sentence about all tenants' waiting records; `nil` if nothing waits.
    func sentence(_ items: [Item]) -> String? {
        guard var all = items.first else { return nil }
        for item in items.dropFirst() {
            all.count += item.count
            all.oldest = min(all.oldest, item.oldest)
            all.details.formUnion(item.details)
        }
        return sentence(all, all.count >= Self.most ? "\(Self.most) or more" : "\(all.count)")
    }

    /// Returns the finding for `tenure doctor`; `nil` if nothing waits.
    func finding(in store: any Store, at now: Timestamp) async -> Finding? {
        do throws(StoreError) {
            return try await sentence(read(store, now)).map { .warning(subject, $0, cure: remedy) }
        } catch {
            return .failure(subject, error)
        }
    }
}

extension [Attention.Item] {
    /// Adds a waiting record to the item of its tenant.
    package mutating func add(_ tenant: TenantID?, since time: Timestamp, _ detail: String? = nil) {
        let index =
            firstIndex { $0.tenant == tenant }
            ?? {
                append(Attention.Item(tenant: tenant, count: 0, oldest: time))
                return count - 1
            }()
        self[index].count += 1
        self[index].oldest = Swift.min(self[index].oldest, time)
        if let detail { self[index].details.insert(detail) }
    }
}
