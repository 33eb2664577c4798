import TenureCore
import TenureLicensingServer
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

extension StoreContract {
    static let licenseCredentials: [Case] = [
        Case("a license's credential is read back unchanged, before and after it has ended") { store in
            try await store.saveCatalog(and: [.license(Sample.license(1))])
            for (index, kind) in LicenseCredential.Kind.allCases.enumerated() {
                var credential = Sample.licenseCredential(index, kind: kind)
                try await store.save([.licenseCredential(credential)])
                try expectEqual(try await store.licenseCredential(credential.hash), credential)
                credential.endedAt = Sample.now
                try await store.save([.licenseCredential(credential)])
                try expectEqual(try await store.licenseCredential(credential.hash), credential)
                try expectEqual(
                    try await store.load(RowQueryPlans.licenseCredential, credential.hash), credential)
            }
            try expectEqual(try await store.licenseCredential(Sample.hash(99)), nil)
            try expectEqual(try await store.load(RowQueryPlans.licenseCredential, Sample.hash(99)), nil)
        },
        Case("a license's credential isn't found as an account's, or an account's as a license's") { store in
            try await store.save(
                Sample.marketCatalog + [
                    .license(Sample.license(1)), .licenseCredential(Sample.licenseCredential(1)),
                    .credential(Sample.credential(2)),
                ])
            try expectEqual(try await store.credential(Sample.hash(1)), nil)
            try expectEqual(try await store.licenseCredential(Sample.hash(2)), nil)
            try expectEqual(try await store.load(RowQueryPlans.credential, Sample.hash(1)), nil)
            try expectEqual(try await store.load(RowQueryPlans.licenseCredential, Sample.hash(2)), nil)
        },
        Case("only licenses' credentials that expired or ended before the given time are deleted") { store in
            let before = Sample.now.adding(seconds: -1)
            try await store.saveCatalog(and: [
                .license(Sample.license(1)), .licenseCredential(Sample.licenseCredential(1, expiresAt: before)),
                .licenseCredential(Sample.licenseCredential(2, endedAt: before)),
                .licenseCredential(Sample.licenseCredential(3, expiresAt: Sample.now)),
                .licenseCredential(Sample.licenseCredential(4, endedAt: Sample.now)),
            ])
            try await store.save([.licenseCredential(Sample.licenseCredential(5, expiresAt: before))])
            try await store.forgetCredentials(before: Sample.now)
            var left: [Int] = []
            for number in 1...5 where try await store.licenseCredential(Sample.hash(number)) != nil {
                left.append(number)
            }
            try expectEqual(left, [3, 4])
        },
        Case("of concurrent uses of a license's link on several servers, exactly one opens a session") { _, subject in
            try await subject.withShared { stores in
                try await stores[0].saveCatalog(and: [.license(Sample.license(1))])
                for link in 0..<12 {
                    try await stores[0].save([.licenseCredential(Sample.licenseCredential(link))])
                    let opened = try await withThrowingTaskGroup(of: Bool.self) { group in
                        for number in 0..<16 {
                            group.addTask {
                                try await stores[number % stores.count].openSession(
                                    with: Sample.hash(link),
                                    Sample.licenseCredential(100 * link + 100 + number, kind: .session))
                            }
                        }
                        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                    }
                    try expectEqual(opened, 1)
                    try expectEqual(try await stores[0].licenseCredential(Sample.hash(link))?.endedAt, Sample.now)
                }
            }
        },
    ]
}

extension Store {
    /// Uses a sign-in link and opens a session. Returns false if the link no longer works.
    fileprivate func openSession(
        with link: Digest, _ session: LicenseCredential
    ) async throws(StoreError) -> Bool {
        let plan = RowQueryPlans.licenseCredential
        return try await perform(
            Transaction(plan.bind(link)) { results in
                guard let link = results[plan.queries], link.works(at: Sample.now) else {
                    return TransactionResult(false)
                }
                var used = link
                used.endedAt = Sample.now
                return TransactionResult(true, [.replace(link, by: used), .insert(session)])
            })
    }
}

extension Sample {
    static func licenseCredential(
        _ number: Int, kind: LicenseCredential.Kind = .link, of license: LicenseID = id(1),
        expiresAt: Timestamp = now.adding(days: 1), endedAt: Timestamp? = nil
    ) -> LicenseCredential {
        LicenseCredential(
            hash: hash(number), license: license, kind: kind, createdAt: now, expiresAt: expiresAt, endedAt: endedAt)
    }
}
