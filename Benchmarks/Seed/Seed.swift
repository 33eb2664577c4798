import Foundation
import Glibc
import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting

/// Fills a database with licenses, each activated on one device, and writes the data that their clients would store.
///
/// It uses the production rules and store, but with larger commits than a server. Each line of the keys file is a
/// license key, an instance id and the device's hash. All lines have the same length, so line n can be found by its offset.
@main
struct Seed {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let count = Int(arguments[2]) else {
            fail("usage: bench-seed DATABASE COUNT KEYS-FILE", code: 2)
        }
        let store = try SQLiteStore.open(.tenure, path: arguments[1], mode: .existing)
        guard let product = try await store.catalog().tenants.values.first?.products.values.first,
            let policy = product.policies.values.first
        else {
            fail("bench-seed: the database has no policy; apply a catalog", code: 1)
        }
        guard let file = fopen(arguments[3], "w") else { fail("bench-seed: cannot write \(arguments[3])", code: 1) }
        let now = Timestamp(seconds: Int64(time(nil)))
        var names = drawNames(count: count)[...]
        while !names.isEmpty {
            var batch = Batch(product: product, policy: policy, now: now)
            for pair in names.prefix(Batch.size) { batch.addLicense(pair.license, pair.activation) }
            names = names.dropFirst(Batch.size)
            let saves = batch.saves
            try await store.perform(Transaction { TransactionResult((), saves) })
            fputs(batch.lines, file)
        }
        guard fclose(file) == 0 else { fail("bench-seed: cannot write \(arguments[3])", code: 1) }
        await store.close()
    }

    private static func fail(_ text: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data((text + "\n").utf8))
        exit(code)
    }
}
