import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore
import TenureTesting

/// Licenses that are written in one commit.
struct Batch {
    static let size = 200_000

    let product: Product
    let policy: Policy
    let now: Timestamp
    private(set) var saves: [RowWrite] = []
    private(set) var lines = ""
    private var random = SecureRandom()

    init(product: Product, policy: Policy, now: Timestamp) {
        self.product = product
        self.policy = policy
        self.now = now
    }

    /// Issues a license and activates it, as an operator and a device do.
    mutating func addLicense(_ id: LicenseID, _ activation: ActivationID) {
        let text = LicenseKeyText.mint(prefix: product.keyPrefix, using: &random)
        let issue = License.issue(
            id: id, product: product.ref, key: text.stored(under: product.keyPrefix),
            terms: LicenseTerms(under: policy, from: now), by: .operator("bench"), at: now)
        guard let issued = issue.license else { return }
        let device = Hex.encode(SecureRandom.bytes(32))
        let attempt = License.ActivationAttempt(
            newID: activation, identity: .machine(device), name: "Bench device")
        let answer = issued.activate(
            attempt, activations: License.Activations(activeCount: 0, existing: nil), under: policy, at: now)
        guard case .activated(let activation, _, let consequences) = answer else { return }
        // Writes only the final state of each row.
        saves.append(.insert(consequences.license ?? issued))
        if let activation = consequences.activation {
            saves.append(.insert(activation))
            // As if each device had refreshed its lease since its activation.
            saves.append(.insert(LastSeen(activation.id, at: now)))
        }
        saves += (issue.events + consequences.events).map { .append(EventRecord(sequence: 0, event: $0)) }
        lines += "\(text.text) \(activation.id) \(device)\n"
    }
}
