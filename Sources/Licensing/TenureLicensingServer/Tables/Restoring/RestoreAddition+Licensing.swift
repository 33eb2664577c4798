import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

extension RestoreAddition {
    /// What a restore of an older backup loses of software licenses and trials.
    static let licensing = [
        RestoreAddition(licenses), RestoreAddition(formerKeys), RestoreAddition(activations),
        RestoreAddition(lastSeen), RestoreAddition(trials),
    ]

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
        rows.orphan = { "the copy has no policy \($0.product)/\($0.policy)" }
        rows.changes = { copied, later in
            let isReinstated = later.recordedState.isOpen && !copied.recordedState.isOpen
            return (isReinstated ? ["reinstated"] : []) + copied.terms.giving(later.terms)
        }
        rows.changeEvents = [.licenseRenewed, .licenseChanged, .licenseReinstated]
        return rows
    }()

    private static let formerKeys = AddedRows<FormerKey, License>(
        "former key", .silent, under: License.table.key, parent: { [.of($0.license)] }
    ) { .init("of \($0.license)", givenAt: $0.replacedAt) }

    /// Activations of licenses that the copy has, too, so that their devices needn't activate again.
    private static let activations: AddedRows<Activation, License> = {
        var rows = AddedRows<Activation, License>(
            "activation", .counted, under: License.table.key, parent: { [.of($0.license)] }
        ) { .init("\($0.id) of \($0.license)", .activation($0.id), givenAt: $0.activatedAt) }
        rows.added = "activated"
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
                "\(Hex.encode(trial.device.bytes).prefix(8)) of \(trial.product)", givenAt: trial.recordedAt,
                actor: .device)
        }
        rows.added = "started"
        rows.orphan = { "the copy has no product \($0.product)" }
        rows.changes = { copied, later in
            if later.start > copied.start { return ["reset"] }
            if later.extraDays > copied.extraDays {
                return ["\(later.extraDays) extra days instead of \(copied.extraDays)"]
            }
            return nil
        }
        return rows
    }()
}
