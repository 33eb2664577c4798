import TenureCore
import TenureStore

/// What a group's changes see: what was loaded, moved on by what those before them have decided.
///
/// Where the memory does not tell exactly what the database would, a change is left for the next group.
struct RunningState {
    private struct KeyName: Hashable {
        let hash: Digest
        let product: ProductRef
    }

    private struct DeviceName: Hashable {
        let license: LicenseID
        let identity: String
    }

    let catalogVersion: Int64
    private var licenses: [LicenseID: License] = [:]
    private var byKey: [KeyName: LicenseID] = [:]
    private var activations: [ActivationID: Activation] = [:]
    /// Seats taken of each license for which that is known exactly, or known to be enough.
    private var taken: [LicenseID: Int] = [:]
    /// The latest live activation of each device asked about; nil inside for none.
    private var known: [DeviceName: Activation?] = [:]

    /// No policy's limit is higher, so that counting may stop here.
    static let enoughSeats = Policy.highestActivationLimit + 1

    /// Reads the answers to the statements of ``GroupKeys``.
    init(_ answers: [Answer], for group: [any WaitingChange]) throws(StoreError) {
        catalogVersion = try Catalog.version(answers[0])
        guard answers.count > 1 else { return }
        for license in try answers[1].all(License.read) { keep(license) }
        for activation in try answers[2].all(Activation.read) { activations[activation.id] = activation }
        guard answers.count > 3 else { return }
        for (license, count) in try answers[3].all({ row throws(StoreError) in (try row.license(0), row.integer(1)) }) {
            taken[license] = Int(count)
        }
        for activation in try answers[4].all(Activation.read) {
            activations[activation.id] = activation
            if let identity = activation.identity.code {
                known[DeviceName(license: activation.license, identity: identity)] = .some(activation)
            }
        }
        for change in group {
            guard let identity = change.keys.seatsFor?.code, let license = license(change.keys.license) else {
                continue
            }
            let device = DeviceName(license: license.id, identity: identity)
            if known[device] == nil { known[device] = .some(nil) }
        }
    }

    /// What a change sees now; nil when only the next group can tell.
    func loaded(for keys: LoadKeys) -> Loaded? {
        var loaded = Loaded(catalogVersion: catalogVersion, license: license(keys.license))
        if case .activation(let id) = keys.license, loaded.license != nil { loaded.activation = activations[id] }
        guard let device = keys.seatsFor, let license = loaded.license else { return loaded }
        guard let count = taken[license.id] else { return nil }
        guard let identity = device.code else {
            loaded.seats = Seats(taken: count, known: nil)
            return loaded
        }
        guard let activation = known[DeviceName(license: license.id, identity: identity)] else { return nil }
        loaded.seats = Seats(taken: count, known: activation)
        return loaded
    }

    /// Moves on by what a change that saw `loaded` saves.
    mutating func apply(_ writes: [Write], of loaded: Loaded) {
        for write in writes {
            switch write {
            case .license(let license): keep(license)
            case .activation(let activation): apply(activation, of: loaded)
            default: break
            }
        }
    }

    /// The license as it is now; nil for one that is not there or was not loaded.
    subscript(_ id: LicenseID) -> License? { licenses[id] }

    private func license(_ selector: LoadKeys.LicenseSelector?) -> License? {
        switch selector {
        case nil: nil
        case .id(let id): licenses[id]
        case .key(let hash, let product): byKey[KeyName(hash: hash, product: product)].flatMap { licenses[$0] }
        case .activation(let id): activations[id].flatMap { licenses[$0.license] }
        }
    }

    private mutating func keep(_ license: License) {
        if let before = licenses[license.id] {
            byKey[KeyName(hash: before.key.hash, product: before.product)] = nil
        }
        licenses[license.id] = license
        byKey[KeyName(hash: license.key.hash, product: license.product)] = license.id
    }

    private mutating func apply(_ activation: Activation, of loaded: Loaded) {
        let before = activations[activation.id]
        activations[activation.id] = activation
        let count = taken[activation.license]
        if let before {
            let change = (activation.isLive ? 1 : 0) - (before.isLive ? 1 : 0)
            // At the end of counting there may be more than the count says.
            taken[activation.license] = count.flatMap { $0 >= Self.enoughSeats && change < 0 ? nil : $0 + change }
        } else if activation.isLive, let seats = loaded.seats, seats.known == nil,
            loaded.license?.id == activation.license
        {
            // The change looked for the device and found none, so this is a new activation.
            taken[activation.license] = count.map { $0 + 1 }
        } else {
            taken[activation.license] = nil
        }
        guard let identity = activation.identity.code else { return }
        let device = DeviceName(license: activation.license, identity: identity)
        switch known[device] {
        case .some(nil) where activation.isLive: known[device] = .some(activation)
        case .some(let latest?) where latest.id == activation.id && activation.isLive:
            known[device] = .some(activation)
        default: known[device] = nil
        }
    }
}
