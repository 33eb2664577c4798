import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension RestoreAddition {
    /// The rows of software licenses and trials that a restore of an older backup would lose.
    static let licensing = [
        RestoreAddition(keyRoots), RestoreAddition(licenses), RestoreAddition(formerKeys), RestoreAddition(activations),
        RestoreAddition(lastSeen), RestoreAddition(trials), RestoreAddition(trialDevices), RestoreAddition(links),
    ]

    private static let keyRoots = AddedRows<KeyRoot, TenantRow>(
        "key root", .silent, under: TenantRow.table.key, parent: { [.of($0.tenant)] }
    ) { .init("\($0.id) of \($0.tenant)") }

    private static let licenses: AddedRows<License, PolicyRow> = {
        var rows = AddedRows<License, PolicyRow>(
            "license", under: PolicyRow.table.key,
            parent: { [.of($0.product.tenant), .of($0.product.product), .of($0.policy)] },
            unique: License.byKey,
            uniqueValues: { [.of($0.key.hash), .of($0.product.tenant), .of($0.product.product)] }
        ) { license in
            .init(
                license.id.description, .license(license.id), givenAt: license.issuedAt, key: license.key.masked,
                holder: license.holder, order: license.terms.order)
        }
        rows.orphan = { "there is no policy \($0.product)/\($0.policy)" }
        rows.merged = { LaterLicense($1, events: $2, others: $3).merged(into: $0) }
        rows.joined = { LaterLicense.joined($0, with: $1) }
        rows.unrelatedEvents = [
            .licenseLinkMade, .licenseLinksEnded, .licenseSessionOpened, .licenseSessionClosed, .licenseReasonChanged,
        ]
        rows.changes = { copied, later, _ in
            let isReinstated = later.recordedState.isOpen && !copied.recordedState.isOpen
            return (isReinstated ? ["reinstated"] : []) + copied.terms.giving(later.terms)
        }
        rows.changeEvents = [
            .licenseRenewed, .licenseChanged, .licenseReinstated, .licenseTransferred, .licenseDevicesForgiven,
        ]
        rows.replacementEvents = [.licenseRekeyed]
        rows.creationEvent = .licenseIssued
        return rows
    }()

    private static let formerKeys = AddedRows<FormerKey, License>(
        "former key", .silent, under: License.table.key, parent: { [.of($0.license)] }
    ) { .init("of \($0.license)", givenAt: $0.replacedAt) }

    /// Activations whose license is in the restored store, so that their devices needn't activate again.
    ///
    /// A device that learned that its activation was released may have activated its license again since. It then uses
    /// the later activation.
    private static let activations: AddedRows<Activation, License> = {
        var rows = AddedRows<Activation, License>(
            "activation", .counted, under: License.table.key, parent: { [.of($0.license)] },
            slot: .init(Activation.liveOfDevice, values: { $0.slot }, since: { $0.activatedAt }) {
                $0.releasedSince(at: $1)
            }
        ) { .init("\($0.id) of \($0.license)", .activation($0.id), givenAt: $0.activatedAt) }
        rows.added = "activated"
        rows.merged = { $0.merging($1, events: $2, others: $3) }
        rows.changes = { copied, later, _ in copied.giving(later) }
        rows.changeEvents = [.activationRestored]
        // A license that wasn't carried over has no date of its first activation.
        rows.fits = { _, license in license.firstActivatedAt != nil }
        return rows
    }()

    private static let lastSeen = AddedRows<LastSeen, Activation>(
        "last request", .silent, under: Activation.table.key, parent: { [.of($0.activation)] }
    ) { .init("of \($0.activation)") }

    private static let trials: AddedRows<Trial, Product> = {
        var rows = AddedRows<Trial, Product>(
            "trial", under: Product.table.key, parent: { [.of($0.product.tenant), .of($0.product.product)] }
        ) { trial in
            .init(
                "\(trial.deviceCode) of \(trial.product)", .trial(trial.product, device: trial.device),
                givenAt: trial.recordedAt, actor: .device)
        }
        rows.added = "started"
        rows.orphan = { "there is no product \($0.product)" }
        rows.changes = { copied, later, events in copied.giving(later, after: events) }
        rows.changeEvents = [.trialExtended, .trialReset]
        rows.comparesStores = true
        return rows
    }()

    private static let trialDevices: AddedRows<Trial.Device, Trial> = {
        var rows = AddedRows<Trial.Device, Trial>(
            "device on trial", .silent, under: Trial.table.key,
            parent: { [.of($0.product.tenant), .of($0.product.product), .of($0.device)] }
        ) { .init("of \($0.product)") }
        rows.changes = { copied, later, _ in later.retainedUntil > copied.retainedUntil ? [] : nil }
        rows.comparesStores = true
        return rows
    }()

    /// Links aren't carried over, because a link that works in one later store may have been ended in another. Their
    /// loss is only reported.
    private static let links: AddedRows<LicenseCredential, License> = {
        var rows = AddedRows<LicenseCredential, License>(
            "link", under: License.table.key, parent: { [.of($0.license)] }
        ) { .init("to the page of \($0.license)", givenAt: $0.createdAt, actor: .commandLine) }
        rows.added = "created"
        rows.isGiven = { $0.kind == .link && $0.works(at: $1) }
        rows.loss = "links are lost; create another one"
        return rows
    }()
}

extension Activation {
    /// The values by which ``liveOfDevice`` finds the activation.
    ///
    /// They are `nil` for a released activation, and for a device that may have several live activations.
    fileprivate var slot: [StoredValue]? {
        guard isLive else { return nil }
        switch identity {
        case .machine, .freeTier: return [.of(license), .of(identity.code)]
        case .attempt, .anonymous: return nil
        }
    }
}
