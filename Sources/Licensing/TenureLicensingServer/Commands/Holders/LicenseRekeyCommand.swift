import TenureCommandLine
import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

/// The command `tenure license rekey`.
enum LicenseRekeyCommand {
    private static let keepsDevices = Argument.flag(
        "keep-devices", "For a key that was lost: the devices that are active continue with the old key.")
    private static let activatedBefore: Argument<Timestamp?> = .optional(
        "activated-before", "DATE", "With --keep-devices: only devices that were activated before this date continue.",
        as: ArgumentReading { text in
            guard let date = Timestamp(text: text) else { throw UsageError("enter a date such as 2027-01-31") }
            return date
        })
    private static let isSure = Argument.flag("yes", "Don't ask before stopping devices.")
    private static let mail = Argument.flag(
        "mail", "Send the new key by e-mail: to the license's address for letters, or to a holder that is an address.")

    static func command(_ installations: Installations) -> Command {
        Command(
            "rekey", "Gives a license a new key; the old one activates nothing any more.",
            discussion: """
                For a key that others have got hold of, use the plain form: every device stops at its next check, until \
                the new key is entered there. It says how many devices that are, and asks; without a terminal, \
                give --yes. For a key that its holder has lost, use --keep-devices: the active devices continue with the \
                old key, and the command lists them. The old key works for nothing else. If the key was lost on a known \
                day, --activated-before keeps only the devices that were activated earlier. Each form applies to the \
                devices of all former keys, so a later plain rekey stops them. Links and sessions of the license's page \
                end. Term, holder, activations and history stay. The new key is shown once, by this command.
                """,
            example: """
                tenure license rekey NOTE-PRO0-0000-0001 --keep-devices
                tenure license rekey NOTE-PRO0-0000-0001 --yes
                """,
            arguments: LicenseReference.certainArguments + [
                keepsDevices, activatedBefore, isSure, mail, SharedOptions.json,
            ],
            output: License.document.output(optional: [("licenseKey", .text())] + DevicesOfRekey.members)
        ) { arguments, console in
            let before = arguments[activatedBefore]
            if before != nil, !arguments[keepsDevices] {
                throw UsageError("--activated-before needs --keep-devices")
            }
            return try await LicenseAct.perform(installations, arguments, console: console) { license, catalog, now in
                if let before, before > now {
                    throw UsageError("--activated-before must name a date in the past")
                }
                let tenant = catalog.current.catalog.tenants[license.product.tenant]
                if arguments[mail], tenant?.mail == nil || license.terms.letterAddress == nil {
                    throw KeyLetter.notMailable(license, from: tenant)
                }
                let keptDevices: KeptDevices =
                    arguments[keepsDevices] ? before.map(KeptDevices.activatedBefore) ?? .active : .none
                let devices = DevicesOfRekey(
                    try await catalog.store.allActiveDevices(of: license.id), keeping: keptDevices,
                    at: now)
                if devices.stopped > 0, !arguments[isSure] {
                    let fact = "\(devices.stopped.of("device")) with the key \(license.key.masked) will stop."
                    let cure = arguments[keepsDevices] ? "" : " If the key was only lost, use --keep-devices."
                    try console.confirm(
                        "\(fact) Each works again once the new key is entered there.\(cure)",
                        orElse: "The key wasn't replaced: \(fact)\(cure)")
                }
                guard let key = try await catalog.newKey(for: license, isMailed: arguments[mail], at: now) else {
                    throw CommandError(
                        "The product \(license.product) is no longer in the catalog. Run `tenure apply FILE` to add it again."
                    )
                }
                var random = SecureRandom()
                return LicenseAct.Plan(
                    act: .rekey(key.key, derivation: key.derivation, keeping: keptDevices), newKey: key.text,
                    letter: arguments[mail] ? .random(using: &random) : nil,
                    devices: devices.shown(try catalog.secrets.names),
                    note: arguments[mail] ? license.terms.letterAddress.map { "the new key is sent to \($0)" } : nil)
            }
        }
    }
}

/// The active devices of a license whose key is replaced.
struct DevicesOfRekey: Sendable {
    /// The devices that continue to use the old key; `nil` if the operator chose to keep none.
    private(set) var activations: [SeenActivation]?
    /// The number of devices that need the new key.
    let stopped: Int

    init(_ active: [SeenActivation], keeping devices: KeptDevices, at now: Timestamp) {
        let continuing = active.filter { devices.keep($0.activation, at: now) }
        self.activations = devices == .none ? nil : continuing
        stopped = active.count - continuing.count
    }

    /// The members that the command adds to the license with `--json`.
    static let members: [Schema.OutputMember] = [
        ("keptDevices", .list(of: SeenActivation.document.schema)), ("stoppedDevices", .integer()),
    ]

    /// The same value with the devices under their public ids.
    func shown(_ names: PublicNames) -> DevicesOfRekey {
        var shown = self
        shown.activations = activations?.map(names.shown)
        return shown
    }

    func write(into body: inout JSONObjectWriter) {
        body.array("keptDevices") { list in
            for device in activations ?? [] { list.object { $0.activation(device) } }
        }
        body.member("stoppedDevices", Int64(stopped))
    }

    func answer(on console: Console) {
        if let activations {
            console.answer("")
            console.answer("\(activations.count.of("device")) may continue with the old key")
            if !activations.isEmpty { console.answer(TextTable(SeenActivation.useColumns, of: activations)) }
        }
        if stopped > 0 {
            console.note("\(stopped.of("device")) will stop at the next check, until the new key is entered")
        }
    }
}

extension SeenActivation {
    /// The columns of active devices: all except `released`.
    fileprivate static let useColumns = columns.filter { $0.label != "released" }
}
