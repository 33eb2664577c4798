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

    /// When holders released devices of the licenses, where that was asked for and is known exactly.
    private var releases: [LicenseID: [Timestamp]] = [:]

    /// What was answered to the requests asked about.
    private var remembered: [Digest: RememberedAnswer] = [:]

    private var apps = RunningApps()

    /// The trials asked about.
    private var trials: [TrialName: Trial] = [:]

    /// No policy's limit is higher, so that counting may stop here.
    static let enoughSeats = Policy.highestActivationLimit + 1

    /// Reads the answers to the statements of ``GroupKeys``, in their order.
    init(_ answers: [Answer], to keys: GroupKeys, of group: [any WaitingChange]) throws(StoreError) {
        var answers = answers[...]
        catalogVersion = try Catalog.version(answers.removeFirst())
        if keys.licensesAreAsked {
            for license in try answers.removeFirst().all(License.read) { keep(license) }
            for activation in try answers.removeFirst().all(Activation.read) { activations[activation.id] = activation }
        }
        if keys.licensesAreAsked, keys.seatsAreAsked {
            try readSeats(taken: answers.removeFirst(), live: answers.removeFirst(), of: group)
        }
        if keys.licensesAreAsked, keys.releasesAfter != nil {
            for id in licenses.keys { releases[id] = [] }
            for (id, at) in try answers.removeFirst().all({ row throws(StoreError) in
                (try row.license(0), row.moment(1))
            }) {
                releases[id]?.append(at)
            }
        }
        if keys.answersAreAsked {
            answers.removeFirst()
            for answer in try answers.removeFirst().all(RememberedAnswer.read) { remembered[answer.key] = answer }
        }
        if keys.appsAreAsked { apps = try RunningApps(&answers) }
        if keys.trialsAreAsked {
            answers.removeFirst()
            for trial in try answers.removeFirst().all(Trial.read) { trials[trial.name] = trial }
        }
    }

    private mutating func readSeats(
        taken counts: Answer, live: Answer, of group: [any WaitingChange]
    ) throws(StoreError) {
        for (license, count) in try counts.all({ row throws(StoreError) in (try row.license(0), row.integer(1)) }) {
            taken[license] = Int(count)
        }
        for activation in try live.all(Activation.read) {
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
        if let request = keys.answerTo { loaded.answer = remembered[request] }
        if let trial = keys.trial { loaded.trial = trials[trial] }
        guard apps.load(keys, into: &loaded) else { return nil }
        if let after = keys.releasesByHolderAfter, let license = loaded.license {
            guard let known = releases[license.id] else { return nil }
            loaded.releasesByHolder = known.filter { $0 > after }
        }
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
            case .remember(let answer): remembered[answer.key] = answer
            case .forgetAnswers(let moment): remembered = remembered.filter { $0.value.at >= moment }
            case .trial(let trial): if trials[trial.name] == nil { trials[trial.name] = trial }
            default: apps.apply(write)
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
        // The next group reads them again.
        if activation.releasedBy == .holder || before?.releasedBy == .holder { releases[activation.license] = nil }
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
