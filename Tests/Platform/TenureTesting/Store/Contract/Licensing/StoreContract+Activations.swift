import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore

extension StoreContract {
    static let activations: [Case] = [
        Case("a license is found by its id, by its key within its product, and by an activation") { store in
            let license = Sample.license(1)
            let activation = Sample.activation(1, of: license.id)
            try await store.saveCatalog(and: [.license(license), .activation(activation)])
            try expectEqual(try await store.load(.id(license.id)).license, license)
            try expectEqual(try await store.load(.key(license.key.hash, in: license.product)).license, license)
            try expectEqual(try await store.load(.key(license.key.hash, in: Sample.draw)).license, nil)
            let byActivation = try await store.load(.activation(activation.id))
            try expectEqual(byActivation.license, license)
            try expectEqual(byActivation.activation, activation)
            let unknown = try await store.load(.activation(Sample.activationID(9)))
            try expect(unknown.license == nil && unknown.activation == nil, "an unknown activation was found")
        },
        Case("only a license's own unreleased activations count as active") { store in
            let license = Sample.license(1)
            try await store.saveCatalog(and: [
                .license(license), .license(Sample.license(2)), .activation(Sample.activation(1, of: license.id)),
                .activation(Sample.activation(2, of: license.id)),
                .activation(Sample.activation(3, of: license.id, released: Sample.now)),
                .activation(Sample.activation(4, of: Sample.id(2))),
            ])
            try expectEqual(
                try await store.load(.id(license.id)).activations, License.Activations(activeCount: 2, existing: nil))
            try expectEqual(try await store.load(.id(Sample.id(9))).activations, nil)
        },
        Case("a device is matched to the license's latest unreleased activation with the same identity") { store in
            let identities: [DeviceIdentity] = [
                .machine("a:b"), .freeTier("a:b"), .attempt(name: "a", request: "b"),
                .attempt(name: "a:b", request: ""), .attempt(name: "", request: "a:b"),
            ]
            var writes: [Put] = [.license(Sample.license(1)), .license(Sample.license(2))]
            for (index, identity) in identities.enumerated() {
                let later = Sample.now.adding(seconds: 5)
                writes += [
                    .activation(Sample.activation(10 + index, of: Sample.id(1), identity: identity, at: later)),
                    .activation(Sample.activation(20 + index, of: Sample.id(1), identity: identity)),
                    .activation(
                        Sample.activation(
                            30 + index, of: Sample.id(1), identity: identity, at: later.adding(days: 1),
                            released: later.adding(days: 2))),
                    .activation(
                        Sample.activation(40 + index, of: Sample.id(2), identity: identity, at: later.adding(days: 1))),
                ]
            }
            try await store.saveCatalog(and: writes)
            for (index, identity) in identities.enumerated() {
                let activations = try await store.load(.id(Sample.id(1)), for: identity).activations
                try expectEqual(activations?.existing?.id, Sample.activationID(10 + index))
                try expectEqual(activations?.activeCount, 10)
            }
            let stranger = try await store.load(.id(Sample.id(1)), for: .machine("b"))
            try expectEqual(stranger.activations, License.Activations(activeCount: 10, existing: nil))
        },
        Case("an anonymous device matches no existing activation") { store in
            try await store.saveCatalog(and: [
                .license(Sample.license(1)), .activation(Sample.activation(1, of: Sample.id(1))),
            ])
            let loaded = try await store.load(.id(Sample.id(1)), for: .anonymous)
            try expectEqual(loaded.activations, License.Activations(activeCount: 1, existing: nil))
        },
        Case("of fifty devices that compete for a license's last activation, exactly one gets it") { store in
            let policy = Policy(id: Sample.pro, name: "Pro", activationLimit: 3)
            let licenses = (1...8).map { Sample.license($0) }
            try await store.saveCatalog(
                and: licenses.flatMap { license -> [Put] in
                    [.license(license)]
                        + (0..<2).map {
                            .activation(Sample.activation(Int(license.id.number) * 1_000 + $0, of: license.id))
                        }
                })
            let wins = try await withThrowingTaskGroup(of: LicenseID?.self) { group in
                for license in licenses {
                    for device in 0..<50 {
                        group.addTask {
                            let serial = Int(license.id.number) * 1_000 + 100 + device
                            return try await store.takeSeat(of: license, serial: serial, under: policy)
                        }
                    }
                }
                var wins: [LicenseID] = []
                for try await win in group { if let win { wins.append(win) } }
                return wins
            }
            try expectEqual(wins.sorted(), licenses.map(\.id))
            for license in licenses {
                try expectEqual(try await store.activations(of: license.id, includingReleased: false).count, 3)
                let events = try await store.events(
                    EventFilter(tenant: license.product.tenant, license: license.id), after: 0, limit: 100)
                try expectEqual(events.map(\.event.kind), [.activationCreated])
                try expectEqual(try await store.license(license.id)?.recordedState, .active)
            }
        },
    ]
}

extension Store {
    /// Activates a license as the server does. Returns the license's id if the device was activated.
    fileprivate func takeSeat(of license: License, serial: Int, under policy: Policy) async throws -> LicenseID? {
        let attempt = License.ActivationAttempt(
            newID: Sample.activationID(serial), identity: .machine("machine \(serial)"), name: "")
        let (queries, bound) = LicenseQueries.bind(.key(license.key.hash, in: license.product), for: attempt.identity)
        return try await perform(
            Transaction(bound) { results in
                let loaded = queries.loaded(in: results)
                guard let license = loaded.license, let activations = loaded.activations else {
                    return TransactionResult(nil)
                }
                switch license.activate(attempt, activations: activations, under: policy, at: Sample.now) {
                case .activated(_, _, let consequences):
                    return TransactionResult(license.id, [RowWrite](consequences, over: loaded))
                case .refused: return TransactionResult(nil)
                }
            })
    }
}
