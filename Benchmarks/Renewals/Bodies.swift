import Foundation
import Glibc
import TenureCore
import TenureCrypto
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting

/// Renewal requests as devices send them. Each has a different number, so none is a repetition.
struct Bodies {
    let database: String
    let count: Int
    let ids: Int

    /// A device's id and its licenses.
    private struct Phone {
        let id: [UInt8]
        let licenses: [LicenseID]
    }

    /// Stores licenses for devices, and writes the devices' requests to a file.
    func write(to path: String) async throws {
        let store = try SQLiteStore.open(.tenure, path: database, mode: .existing)
        let catalog = try await store.catalog()
        guard let tenant = catalog.tenants.values.first(where: { $0.marketplace != nil }),
            let app = tenant.marketplace?.apps.values.first, let version = app.versions.values.first,
            let asset = version.keyedAssets.first,
            let record = try await store.marketplaceKeys().last(where: { $0.purpose == .encryption })
        else { fail("the database has no marketplace with an app; apply a catalog") }
        let key = try X509Certificate(record.certificate).publicKey
        let ref = AssetRef(item: app.item, version: version.id, asset: asset)
        let phones = try await makePhones(store, tenant.id, ref)
        await store.close()
        guard let file = fopen(path, "w") else { fail("cannot write \(path)") }
        let now = UInt64(time(nil))
        for number in 0..<count {
            let phone = phones[number % phones.count]
            let request = SimulatedAppLicenseRequest(
                action: .renew, requestID: UInt64(number + 1), requestTime: now, deviceID: phone.id,
                licenseIDs: phone.licenses.map { UInt64($0.number) })
            let envelope = try RequestEnvelope.sealing(request.json(), to: key)
            fputs("{\"renewalRequest\":\"\(envelope.request)\",\"licenseKey\":\"\(envelope.requestKey)\"}\n", file)
        }
        guard fclose(file) == 0 else { fail("cannot write \(path)") }
    }

    /// Creates enough devices for 2,000 licenses in total, at least ten, and at least one for twenty requests, so that
    /// no device reaches a request limit.
    private func makePhones(_ store: SQLiteStore, _ tenant: TenantID, _ asset: AssetRef) async throws -> [Phone] {
        var random = SecureRandom()
        let now = Timestamp(seconds: Int64(time(nil)))
        var phones: [Phone] = []
        for _ in 0..<max(10, 2_000 / ids, count / 20) {
            let id = SecureRandom.bytes(16)
            guard let device = Digest(SHA256.hash(id)) else { fail("a digest has another length than 32 bytes") }
            let licenses = (0..<ids).map { _ in
                AppLicense(
                    id: .randomForApp(using: &random), tenant: tenant, asset: asset, account: nil, device: device,
                    request: .random(in: .min ... .max, using: &random), issuedAt: now,
                    term: Term(start: now, length: 30), termRequest: .random(in: .min ... .max, using: &random))
            }
            phones.append(Phone(id: id, licenses: licenses.map(\.id)))
            try await store.perform(Transaction { TransactionResult((), licenses.map(RowWrite.insert)) })
        }
        return phones
    }

    private func fail(_ text: String) -> Never {
        FileHandle.standardError.write(Data("bench-renewals: \(text)\n".utf8))
        exit(1)
    }
}
