import TenureCore
import TenureLicensing
import TenureServerKit

extension KeyLetterText {
    /// A license with the full text of its key.
    struct Item: Sendable {
        let license: License
        let key: String
    }

    /// The contents of a letter; its licenses are of one product.
    struct Letter: Sendable {
        let items: [Item]
        /// The key that the letter's key replaced; `nil` for a letter that sends keys.
        let replaced: FormerKey?
        let tenant: Tenant
        /// The product; `nil` if the catalog no longer contains it.
        let product: Product?
        let language: Language
        let now: Timestamp

        private var productName: String { product?.name ?? items.first?.license.product.product.text ?? "" }
        private var vendor: String { tenant.brand?.name ?? tenant.name }

        private func say(
            _ text: KeyLetterText, count: Int? = nil, _ values: KeyValuePairs<String, String> = [:]
        ) -> String {
            text(in: language, count: count, values)
        }

        var subject: String {
            let text: KeyLetterText =
                replaced != nil ? .replacedSubject : items.count == 1 ? .keySubject : .keysSubject
            return say(text, ["product": productName])
        }

        /// The paragraphs, separated by empty lines.
        var body: String {
            var paragraphs = [greeting, introduction] + keys + [say(.howToActivate, ["product": productName])]
            if let link {
                paragraphs += [say(.orLink), link.text]
                if link.isOwnScheme { paragraphs.append(say(.linkNotOpened, ["product": productName])) }
            }
            if let contact = tenant.helpEmail ?? tenant.supportURL {
                paragraphs.append(say(.support, ["contact": contact]))
            }
            return (paragraphs + [vendor]).joined(separator: "\n\n") + "\n"
        }

        private var greeting: String {
            items.first?.license.terms.holderName.map { say(.greeting, ["name": $0]) } ?? say(.greetingUnnamed)
        }

        private var introduction: String {
            guard let replaced else {
                return say(.keysIntro, count: items.count, ["product": productName, "vendor": vendor])
            }
            let devices =
                switch replaced.activatedBefore {
                case nil: say(.devicesStop)
                case let time? where time >= replaced.replacedAt: say(.devicesContinue, ["product": productName])
                case let time?: say(.devicesContinueIfEarlier, ["date": time.forPeople(in: language)])
                }
            return language.row([say(.replacedIntro, ["product": productName, "vendor": vendor]), devices])
        }

        /// The paragraphs with the keys: a plan and an end, followed by the keys that share them, each on a line of its
        /// own.
        private var keys: [String] {
            var groups: [(terms: String, keys: [String])] = []
            for item in items {
                let terms = self.terms(of: item.license)
                if groups.last?.terms == terms {
                    groups[groups.count - 1].keys.append(item.key)
                } else {
                    groups.append((terms, [item.key]))
                }
            }
            return groups.flatMap { [$0.terms, $0.keys.joined(separator: "\n")] }
        }

        private func terms(of license: License) -> String {
            let plan = product?.policies[license.policy]?.name ?? license.policy.text
            let end =
                switch license.ending(at: now) {
                case .never: say(.neverExpires)
                case .at(let end) where end > now: say(.validUntil, ["date": end.forPeople(in: language)])
                case .at(let end): say(.expiredOn, ["date": end.forPeople(in: language)])
                case .unstarted: say(.startsWhenActivated)
                }
            return "\(say(.plan, ["plan": plan]))\n\(end)"
        }

        /// The link that activates the app; `nil` if the letter has several licenses or the product has no such link.
        private var link: (text: String, isOwnScheme: Bool)? {
            guard items.count == 1, let link = product?.activationURL else { return nil }
            return (link.replacing(ActivationURL.placeholder, with: items[0].key), !link.hasPrefix("https://"))
        }
    }
}
