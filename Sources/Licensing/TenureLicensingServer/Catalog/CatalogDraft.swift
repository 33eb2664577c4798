import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing

/// The catalog file of a vendor with one product, which `tenure catalog new` writes.
struct CatalogDraft: Sendable {
    /// The vendor's name as typed, with the id that is made from it.
    let vendor: Named<TenantID>
    let product: Named<ProductID>
    /// The address for customers' questions; `nil` to leave it out.
    let supportEmail: String?
    /// The length of a trial in days; 0 for no trials.
    let trialDays: Int
    let policies: [PolicyDraft]

    /// The file's text: indented, and with only the members whose values differ from the defaults.
    var text: String {
        """
        {
          "tenants": [
            {
              "id": \(Self.quoted(vendor.id.text)),
              "name": \(Self.quoted(vendor.name)),\(supportMember)
              "products": [
                {
                  "id": \(Self.quoted(product.id.text)),
                  "name": \(Self.quoted(product.name)),
                  "trialDays": \(trialDays),
                  "policies": [
        \(policies.map { "            " + $0.text }.joined(separator: ",\n"))
                  ]
                }
              ]
            }
          ]
        }

        """
    }

    private var supportMember: String {
        supportEmail.map { "\n      \"supportEmail\": \(Self.quoted($0))," } ?? ""
    }

    fileprivate static func quoted(_ text: String) -> String {
        let array = JSONWriter.array { $0.element(text) }
        return String(decoding: array.dropFirst().dropLast(), as: UTF8.self)
    }
}

/// A name as people see it, and the id that is made from it.
struct Named<ID: Sendable>: Sendable {
    let id: ID
    let name: String

    /// Reads a name such as `Acme Software`, whose id is `acme-software`.
    static func reading<Tag>() -> ArgumentReading<Self> where ID == Slug<Tag> {
        ArgumentReading { text in
            let words = text.withoutDiacritics.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
            guard text.utf8.count <= 200, text.printable == text, let id = Slug<Tag>(words.joined(separator: "-"))
            else { throw UsageError("enter a name with letters from a to z, such as acme or \"Acme Software\"") }
            return Named(id: id, name: text.prefix(1).uppercased() + text.dropFirst())
        }
    }
}

/// A policy as `tenure catalog new` takes it: `ID:LENGTH:DEVICES`.
struct PolicyDraft: Sendable {
    let id: PolicyID
    /// The length of a term; `nil` for perpetual licenses.
    let duration: TermLength?
    /// How many devices may be active at the same time; `nil` for no limit.
    let activationLimit: Int?

    fileprivate var text: String {
        let duration = duration.map { "\"duration\": \"\($0)\", " } ?? ""
        let limit = activationLimit.map { "\($0)" } ?? "null"
        let names = "\"id\": \(CatalogDraft.quoted(id.text)), \"name\": \(CatalogDraft.quoted(name))"
        return "{ \(names), \(duration)\"activationLimit\": \(limit) }"
    }

    /// The id as customers read it: `Team yearly` for `team-yearly`.
    private var name: String {
        let words = id.text.split { $0 == "-" || $0 == "_" }.joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// A perpetual policy for three devices, used if none is given.
    static let standard: PolicyDraft? = PolicyID("pro").map {
        PolicyDraft(id: $0, duration: nil, activationLimit: 3)
    }

    static var reading: ArgumentReading<PolicyDraft> {
        ArgumentReading { text in
            let parts = text.split(atByte: ":", omittingEmptySubsequences: false).map(String.init)
            guard (2...3).contains(parts.count), let id = PolicyID(parts[0]) else {
                throw UsageError("enter ID:LENGTH:DEVICES, such as pro:perpetual:3 or yearly:P1Y:2")
            }
            guard let duration = duration(parts[1]) else {
                throw UsageError("enter the length as perpetual, P1Y, P6M or P14D, as in \(id):P1Y:2")
            }
            guard let limit = limit(parts.count == 3 ? parts[2] : "3") else {
                throw UsageError(
                    "enter 1 to \(Policy.highestActivationLimit) devices or unlimited, as in \(id):\(parts[1]):2")
            }
            return PolicyDraft(id: id, duration: duration, activationLimit: limit)
        }
    }

    /// Reads a length; the inner `nil` means perpetual, the outer one that the text isn't a length.
    private static func duration(_ text: String) -> TermLength?? {
        text == "perpetual" ? .some(nil) : TermLength(text: text).map { .some($0) }
    }

    private static func limit(_ text: String) -> Int?? {
        if text == "unlimited" { return .some(nil) }
        guard let limit = Int(text), (1...Policy.highestActivationLimit).contains(limit) else { return nil }
        return limit
    }
}

extension String {
    /// The text in lower case with Latin letters in place of those with marks: `strasse` for `Straße`.
    fileprivate var withoutDiacritics: String {
        // Upper case has no ligatures: it turns ß into SS.
        let scalars = uppercased().lowercased().unicodeScalars.filter {
            $0.properties.canonicalCombiningClass == .notReordered
        }
        return String(String.UnicodeScalarView(scalars.map { $0.baseLetter ?? $0 }))
    }
}

extension Unicode.Scalar {
    /// The letter without its marks, from its name: e for "LATIN SMALL LETTER E WITH ACUTE"; `nil` for other
    /// characters.
    fileprivate var baseLetter: Unicode.Scalar? {
        guard let words = properties.name?.split(atByte: " "), words.count > 4, words[4] == "WITH",
            words[0...2].elementsEqual(["LATIN", "SMALL", "LETTER"]), words[3].utf8.count == 1
        else { return nil }
        return words[3].lowercased().unicodeScalars.first
    }
}
