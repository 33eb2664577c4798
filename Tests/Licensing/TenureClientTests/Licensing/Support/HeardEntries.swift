import Foundation
import TenureClient

/// Collects log entries, which may arrive on any thread.
final class HeardEntries: @unchecked Sendable {
    // Sendable because `lock` guards `all`.
    private let lock = NSLock()
    private var all: [LicenseLogEntry] = []

    func hear(_ entry: LicenseLogEntry) { lock.withLock { all.append(entry) } }
    var entries: [LicenseLogEntry] { lock.withLock { all } }
    func drain() -> [String] {
        lock.withLock {
            defer { all = [] }
            return all.map { "\($0.level) \($0.code) \($0.facts["question"] ?? $0.facts["state"] ?? "")" }
        }
    }
}
