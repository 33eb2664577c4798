import TenureCommandLine
import TenureCore
import TenureFormats
package import TenureLicensing
package import TenureServerKit

/// The fields of a license that its vendor sets.
extension LicenseField {
    /// All fields, in the order in which requests and options are read.
    static let all = [policy] + texts + [activationLimit, end]

    static let texts = [holder, holderEmail, holderName, order]

    static let policy = LicenseField(
        "policy", label: "policy", "The policy it uses.", text: { $0.value.policy.text },
        change: Input(
            read: { try $0.optional("policy", .slug(), "The policy to use.").map { .policy($0) } },
            option: .optional(
                "policy", "POLICY", "The license's new policy.",
                as: ArgumentReading<PolicyID>.slug().map { .policy($0) }
            )),
        listed: .policy)

    static let holder = LicenseField.text(
        "holder", "Who it was issued to.",
        issue: (
            "The license holder: any text, such as an e-mail address.", "The customer, such as an e-mail address."
        ),
        change: ("The license holder; null or empty for none.", "The license's new holder; - removes the holder."),
        text: { $0.holder }, set: { .holder($0) })

    static let holderEmail = LicenseField.text(
        "holderEmail", option: ("holder-email", "address"), isInLists: false, format: .email,
        "The e-mail address to which letters about it go.",
        issue: (
            "The e-mail address for letters. Without one, letters go to a `holder` that is an address.",
            "The e-mail address for letters; default: the holder, if that's an address."
        ),
        change: (
            "The e-mail address for letters; null or empty removes it and `holderName`.",
            "The new e-mail address for letters; - removes it and the holder's name."
        ),
        text: { $0.holderEmail }, set: { .holderEmail($0) })

    static let holderName = LicenseField.text(
        "holderName", option: ("holder-name", "name"), isInLists: false,
        "The name of the person to whom letters about it are addressed.",
        issue: ("The holder's name for letters.", "The holder's name for letters."),
        change: (
            "The holder's name for letters; null or empty for none.", "The holder's new name for letters; - removes it."
        ),
        text: { $0.holderName }, set: { .holderName($0) })

    static let order = LicenseField.text(
        "order", "The vendor's reference of the order.",
        issue: (
            "The shop's reference of the order, by which the license can be found.",
            "The reference of the order, such as an invoice number."
        ),
        change: ("The reference of the order; null or empty for none.", "The order's reference; - removes it."),
        text: { $0.order }, set: { .order($0) })

    static let activationLimit = LicenseField.integer(
        "activationLimit", label: "devices", 1...Policy.highestActivationLimit, unset: "policy",
        "How many devices may be active at the same time; null for the policy's limit.",
        option: "The number of devices that may be active at the same time; default: the policy's limit.",
        changeOption: "The number of devices that may be active at the same time, or policy for the policy's limit.",
        number: { $0.activationLimit }, set: { .activationLimit($0) })

    static let end = LicenseField(
        "expiresAt", label: "ends", unset: "never", schema: .text(format: "date-time"),
        "When its term ends (exclusive); null if it never expires, or if its term hasn't started: see `duration`.",
        text: { if case .at(let end) = $0.value.ending(at: $0.now) { end.description } else { nil } },
        words: { $0.value.ending(at: $0.now).words },
        cell: { license in
            switch license.value.ending(at: license.now) {
            case .never: ""
            case .at(let end): end.description
            case .unstarted(let length, _): length.description
            }
        },
        issue: end(
            "When the term ends; a date alone means 24:00 UTC of that day; null for never. If absent, the policy decides.",
            "When the term ends (a date alone: 24:00 UTC of that day), or never; default: the policy's duration."),
        change: end(
            "The end of the term; a date alone means 24:00 UTC of that day; null for never.",
            "The end of the term (a date alone: 24:00 UTC of that day), or never."),
        listed: CatalogField(
            "expiresAt", schema: { _ in .end("RFC 3339; a date alone means 24:00 UTC of that day; null means never.") }
        ) {
            node, draft, reader in
            if let end = reader.end(node) { draft.terms.append(.end(end)) }
        })

    private static func end(_ sentence: String, _ help: String) -> Input {
        Input(
            read: { try $0.end("expiresAt", sentence).map { .end($0) } },
            option: .optional(
                "expires-at", "DATE", help, as: ArgumentReading<TermEnd>.end.map { .end($0) }))
    }
}

/// A license, as programs read it and as people see it.
extension License {
    /// A license at a given time; dates are RFC 3339 in UTC, and an absent end is null.
    package static let document = Document<AsOf<License>>(
        "License",
        [
            .text("id", "The license's id on this server: `lic_` and 13 digits.") { $0.value.id.description },
            .text("tenant", "The vendor.") { $0.value.product.tenant.text },
            .text("product", "The product.") { $0.value.product.product.text },
            LicenseField.policy.member,
            .text("key", "The license key, mostly masked.") { $0.value.key.masked },
        ] + LicenseField.texts.map(\.member) + [
            LicenseField.activationLimit.member,
            .choice("state", "Its current state.") { $0.value.state(at: $0.now) },
            .momentOrNull(
                "startsAt", "When its term started; null if it starts at the first activation, which hasn't happened."
            ) { $0.value.startedAt($0.now) },
            LicenseField.end.member,
            .textOrNull("duration", "How long its term will last, such as `P1Y`; null once it has started.") {
                $0.value.unstarted(at: $0.now)?.length.description
            },
            .momentOrNull(
                "startBy", "When a term that hasn't started starts without an activation; null for never."
            ) { $0.value.unstarted(at: $0.now)?.startBy },
            .dateTime("issuedAt", "When it was issued.") { $0.value.issuedAt },
            .momentOrNull("firstActivatedAt", "When the first device was activated.") { $0.value.firstActivatedAt },
            .init("test", .boolean, "True if it was paid with test money; absent otherwise.", isAlways: false) {
                if $0.value.isTest { $1.member("test", true) }
            },
        ])

    /// The lines of a license's page on the command line.
    static func page(of license: AsOf<License>) -> [LabeledText<AsOf<License>>] {
        [
            .id, .key, .product, LicenseField.policy.line,
        ] + LicenseField.texts.filter { $0.isInLists || !$0.cell(license).isEmpty }.map(\.line) + [
            LicenseField.activationLimit.line, .state,
            LabeledText("term") { license in
                guard let start = license.value.startedAt(license.now) else {
                    return license.value.ending(at: license.now).words
                }
                return "\(start.local) \(license.value.term.end.map { "to \($0.local)" } ?? "with no end")"
            },
            LabeledText("issued") { $0.value.issuedAt.local },
            LabeledText("activated") { $0.value.firstActivatedAt?.local ?? "never" },
        ] + (license.value.isTest ? [LabeledText("test") { _ in "paid with test money" }] : [])
    }

    /// The columns of a list on the command line.
    static let columns: [LabeledText<AsOf<License>>] =
        [
            .id, .key, .product, LicenseField.policy.line, .listedState, LicenseField.end.line, .listedHolder,
            LicenseField.order.line,
        ]
}

extension License {
    /// The length and the latest start of a term that hasn't started at this time; `nil` once it has.
    fileprivate func unstarted(at now: Timestamp) -> (length: TermLength, startBy: Timestamp?)? {
        if case .unstarted(let length, let startBy) = ending(at: now) { (length, startBy) } else { nil }
    }
}

extension License.TermEnding {
    /// The end of the term, as commands print it.
    var words: String {
        switch self {
        case .never: "never"
        case .at(let end): end.local
        case .unstarted(let length, nil): "\(length) after the first activation"
        case .unstarted(let length, let startBy?):
            "\(length) after the first activation, which counts from \(startBy.local) at the latest"
        }
    }
}

extension LabeledText<AsOf<License>> {
    fileprivate static let id = LabeledText("license") { $0.value.id.description }
    fileprivate static let key = LabeledText("key") { $0.value.key.masked }
    fileprivate static let product = LabeledText("product") { $0.value.product.description }
    fileprivate static let state = LabeledText.state("state") { $0.value.state(at: $0.now).rawValue }
    /// The holder and the address for letters; many buyers have only an address.
    fileprivate static let listedHolder = LabeledText("holder") { license in
        let (holder, email) = (license.value.terms.holder, license.value.terms.holderEmail)
        guard let holder, let email, holder != email else { return holder ?? email ?? "-" }
        return "\(holder) <\(email)>"
    }
    /// The state in a list; the few test licenses are marked in it, because they have no column of their own.
    fileprivate static let listedState = LabeledText.state("state") { license in
        license.value.state(at: license.now).rawValue + (license.value.isTest ? " (test)" : "")
    }
}

extension LicenseSpec {
    /// The schema of an existing license in a catalog file.
    static let section = CatalogObject(
        "An existing license.", sample: Draft(),
        [.key, LicenseField.policy.listed] + LicenseField.texts.map(\.listed) + [
            LicenseField.activationLimit.listed, .state, LicenseField.end.listed,
        ])
}
