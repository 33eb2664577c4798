package import TenureCore
package import TenureStore

/// Something that waits for the operator, such as failed jobs.
///
/// `tenure doctor`, `tenure status` and `/metrics` report it. It names no person.
package struct Attention: Sendable {
    /// The records of one tenant that wait for the operator.
    package struct Item: Sendable, Hashable {
        /// The tenant; `nil` for the server itself.
        package let tenant: TenantID?
        /// The number of waiting records, at most ``Attention/most``.
        package var count: Int
        /// The time since which the oldest of them has been waiting.
        package var oldest: Timestamp
        /// What the waiting records have in common, for the sentence, such as the kinds of jobs.
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
    /// What it concerns, in a word or two, like a ``Finding``'s subject.
    package let subject: String
    /// What to do about it.
    package let remedy: String
    /// Reads what waits, one item a tenant.
    package let read: @Sendable (any Store, _ now: Timestamp) async throws(StoreError) -> [Item]
    private let sentence: @Sendable (_ all: Item, _ number: String) -> String

    /// Declares something that can wait for the operator.
    ///
    /// - Parameter sentence: Says what waits, given the items of all tenants as one and their number in words.
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

    /// The most rows that are counted.
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
    /// Adds something that waits to the item of its tenant.
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
