import Foundation
import Glibc
import TenureContent
import TenureCore
import TenureCrypto
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting

/// Fills a database with content holders, and measures the unavoidable cost of a grant.
///
/// `seed DATABASE HOLDERS FILE`: enrols each holder in the catalog's course, with all items on one device. Each line of
/// the file contains the data that one device stores.
///
/// `sign SECONDS`: measures one signature over a text as long as a grant.
@main
struct Contents {
    static func main() async throws {
        let arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "seed" where arguments.count == 5:
            guard let holders = Int(arguments[3]) else { break }
            return try await seed(arguments[2], holders, arguments[4])
        case "sign" where arguments.count == 3:
            guard let seconds = Double(arguments[2]) else { break }
            return sign(seconds)
        default: break
        }
        fail("usage: bench-contents seed DATABASE HOLDERS FILE | sign SECONDS", code: 2)
    }

    private static func seed(_ database: String, _ holders: Int, _ path: String) async throws {
        let store = try SQLiteStore.open(.tenure, path: database, mode: .existing)
        guard let tenant = try await store.catalog().tenants.values.first, let offer = Offer(tenant) else {
            fail("bench-contents: the database offers no course; apply a catalog", code: 1)
        }
        guard let file = fopen(path, "w") else { fail("bench-contents: cannot write \(path)", code: 1) }
        let now = Timestamp(seconds: Int64(time(nil)))
        for first in stride(from: 0, to: holders, by: 1_000) {
            var batch = HolderBatch(offer, at: now)
            for number in first..<min(holders, first + 1_000) { batch.add(number) }
            let saves = batch.saves
            try await store.perform(Transaction { TransactionResult((), saves) })
            fputs(batch.lines, file)
        }
        guard fclose(file) == 0 else { fail("bench-contents: cannot write \(path)", code: 1) }
        await store.close()
    }

    private static func sign(_ seconds: Double) {
        let key = Ed25519.PrivateKey.generate()
        let text = [UInt8](repeating: UInt8(ascii: "x"), count: HolderBatch.grantLength)
        var (count, length) = (0, 0)
        let start = processSeconds()
        let end = start + seconds
        while processSeconds() < end {
            for _ in 0..<100 { length += key.sign(text).count }
            count += 100
        }
        // The lengths are used, so that the compiler can't remove the signatures.
        guard length == count * Ed25519.signatureLength else { return }
        print("{\"sign\": \((processSeconds() - start) * 1e6 / Double(count))}")
    }

    private static func processSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func fail(_ text: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data((text + "\n").utf8))
        exit(code)
    }
}

/// A tenant's first course.
struct Offer: Sendable {
    let tenant: TenantID
    let course: CourseID
    let contents: [ContentID]
    let policy: ContentPolicy

    init?(_ tenant: Tenant) {
        guard let offered = tenant.contents, let course = offered.courses.values.first,
            let policy = offered.policies.values.first
        else { return nil }
        self.tenant = tenant.id
        self.course = course.id
        contents = course.items.sorted()
        self.policy = policy
    }
}
