import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureStore

/// Random changes whose queries depend on each other or use named queries.
enum RandomScene {
    /// Creates a random change of one kind.
    typealias Roll = @Sendable (inout Dice) -> RandomChange

    static let all: [Roll] = [activate, release, seatsOfProduct, issueApp, endApp, count]

    /// Activates a license by its key if fewer than three devices are activated.
    static let activate: Roll = { dice in
        let product = dice.product()
        let activation = Activation(
            id: Sample.activationID(dice.upTo(12)), license: dice.license(), identity: dice.identity(), name: "",
            activatedAt: dice.moment(), releasedAt: nil)
        let (queries, bound) = LicenseQueries.bind(.key(dice.hash(6), in: product), for: activation.identity)
        return RandomChange(bound) { results in
            let loaded = queries.loaded(in: results)
            guard let license = loaded.license, let activations = loaded.activations, activations.existing == nil,
                activations.activeCount < 3
            else {
                return (loaded.values, [])
            }
            return (loaded.values, [.insert(activation.moved(to: license.id))])
        }
    }

    /// Releases an activation by its id, within the holder's limit.
    static let release: Roll = { dice in
        let time = dice.moment()
        let (queries, bound) = LicenseQueries.bind(
            .activation(Sample.activationID(dice.upTo(12))), for: dice.identity())
        return RandomChange(bound) { results in
            let loaded = queries.loaded(in: results)
            guard let activation = loaded.activation, activation.isLive, loaded.releasesByHolder.count < 4 else {
                return (loaded.values, [])
            }
            return (loaded.values, [.replace(activation, by: activation.released(at: time))])
        }
    }

    /// Reads the first licenses of a product and their activations.
    static let seatsOfProduct: Roll = { dice in
        let plan = SeatsOfProduct.plan
        let product = dice.product()
        return RandomChange(plan.bind(product)) { results in
            (plan.queries.answer(results), [])
        }
    }

    /// Issues an app license to an account or a device, replacing earlier ones.
    static let issueApp: Roll = { dice in
        let account = dice.account()
        let isOpen = dice.once(in: 3)
        let keys = AppKeys(
            tenant: account.tenant, device: dice.hash(3), account: isOpen ? nil : account.account,
            items: [dice.item()], now: dice.moment())
        let id = dice.license(8)
        let request = UInt64(dice.upTo(9))
        let queries = AppLicenseLookups.plan.queries
        return RandomChange(AppLicenseLookups.bind(keys)) { results in
            let loaded = queries.loaded(keys, in: results)
            guard loaded.rights.values.allSatisfy({ $0.active.count < 2 }), let device = keys.device else {
                return (loaded.values, [])
            }
            let license = AppLicense(
                id: id, tenant: keys.tenant, asset: Sample.assetRef(item: keys.items[0]), account: keys.account,
                device: device, request: request, issuedAt: keys.now, term: .perpetual(from: keys.now), termRequest: 1)
            return (loaded.values, [.insert(license)])
        }
    }

    /// Ends app licenses by their ids.
    static let endApp: Roll = { dice in
        let ids = (0..<dice.upTo(3)).map { _ in dice.license(8) }
        let keys = AppKeys(tenant: dice.tenant(), licenses: Array(Set(ids)).sorted(), now: dice.moment())
        let queries = AppLicenseLookups.plan.queries
        return RandomChange(AppLicenseLookups.bind(keys)) { results in
            let loaded = queries.loaded(keys, in: results)
            return (
                loaded.values,
                loaded.licenses.sorted { $0.key < $1.key }.map { .replace($1, by: $1.ended(at: keys.now)) }
            )
        }
    }

    /// Counts the licenses of each policy and the app licenses of each app.
    static let count: Roll = { dice in
        let plan = Counts.plan
        return RandomChange(plan.bind()) { results in (plan.queries.answer(results), []) }
    }
}

private struct SeatsOfProduct: Sendable {
    let licenses: RowsQuery<License>
    let activations: RowsQuery<Activation>
    let keyed: RowsQuery<License>

    static let plan = QueryPlan(for: ProductRef.self) { query in
        let licenses = query.rows(License.ofProduct, upTo: 3) { [.of($0.tenant), .of($0.product)] }
        return SeatsOfProduct(
            licenses: licenses, activations: query.each(Activation.live, upTo: 2, .column("id", of: licenses)),
            keyed: query.each(
                License.byKey, .column("key_hash", of: licenses), .column("tenant", of: licenses),
                .column("product", of: licenses)))
    }

    func answer(_ results: QueryResult) -> [[[StoredValue]]] {
        [results[licenses].map(\.allValues), results[activations].map(\.allValues), results[keyed].map(\.allValues)]
    }
}

private struct Counts: Sendable {
    let policies: NamedRowsQuery<PolicyCount>
    let apps: NamedRowsQuery<AppCount>

    static let plan = QueryPlan { query in Counts(policies: query.view(PolicyCount.all), apps: query.view(AppCount.all))
    }

    func answer(_ results: QueryResult) -> [[[StoredValue]]] {
        let policies = results[policies].map { count -> [StoredValue] in
            let name = count.policy
            return [.of(name.product.tenant), .of(name.product.product), .of(name.policy), .of(count.count)]
        }
        let apps = results[apps].map { count -> [StoredValue] in
            [.of(count.tenant), .of(count.item), .of(count.count)]
        }
        return [policies, apps].map { rows in rows.sorted { StoredValues($0) < StoredValues($1) } }
    }
}

extension LoadedLicense {
    fileprivate var values: [[[StoredValue]]] {
        [
            license.map { [$0.allValues] } ?? [], activation.map { [$0.allValues] } ?? [],
            [[.of(activations?.activeCount)]], activations?.existing.map { [$0.allValues] } ?? [],
            [releasesByHolder.map(StoredValue.of)],
        ]
    }
}

extension LoadedApps {
    fileprivate var values: [[[StoredValue]]] {
        let rights = rights.sorted { $0.key < $1.key }.map { name, right -> [StoredValue] in
            let holders = right.active.map(StoredValue.of).sorted()
            return [.of(name.account), .of(name.item)] + (right.grant?.allValues ?? []) + holders
        }
        return [
            licenses.values.sorted { $0.id < $1.id }.map(\.allValues),
            earlier.sorted { $0.key < $1.key }.flatMap(\.value).map(\.allValues), rights,
        ]
    }
}

extension Activation {
    fileprivate func moved(to license: LicenseID) -> Activation {
        Activation(
            id: id, license: license, identity: identity, name: name, system: system, activatedAt: activatedAt,
            releasedAt: nil)
    }
}

extension AppLicense {
    fileprivate func ended(at time: Timestamp) -> AppLicense {
        AppLicense(
            id: id, tenant: tenant, asset: asset, account: account, device: device, request: request,
            issuedAt: issuedAt, term: Term(start: term.start, end: max(term.start, time)) ?? term,
            termRequest: termRequest + 1, recordedState: recordedState, stoppedAt: stoppedAt, failedAt: failedAt,
            isReplaced: true)
    }
}
