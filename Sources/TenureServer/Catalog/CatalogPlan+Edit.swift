import TenureCore

extension CatalogPlan {
    /// One member that changes.
    struct Edit: Hashable, CustomStringConvertible {
        let member: String
        let old: String
        let new: String

        init(_ member: String, _ old: String, _ new: String) {
            self.member = member
            self.old = old
            self.new = new
        }

        var description: String { "\(member) \(old) -> \(new)" }

        /// What differs between two versions of a product, its policies aside.
        static func between(_ old: Product, _ new: Product) -> [Edit] {
            [
                Edit("name", old.name, new.name),
                Edit("keyPrefix", old.keyPrefix.text, new.keyPrefix.text),
                Edit("trialDays", "\(old.trialDays)", "\(new.trialDays)"),
                Edit("freeTier", "\(old.freeTier)", "\(new.freeTier)"),
            ].filter(\.isChange)
                + (old.sdkKeyHash == new.sdkKeyHash ? [] : [Edit("sdkKey", secret(old), secret(new))])
        }

        /// What differs between two versions of a policy.
        static func between(_ old: Policy, _ new: Policy) -> [Edit] {
            [
                Edit("name", old.name, new.name),
                Edit("durationDays", optional(old.durationDays), optional(new.durationDays)),
                Edit("activationLimit", optional(old.activationLimit), optional(new.activationLimit)),
                Edit("entitlements", names(old), names(new)),
                Edit("fallbackAccess", "\(old.fallbackAccess)", "\(new.fallbackAccess)"),
                Edit("leaseDays", "\(old.leaseDays)", "\(new.leaseDays)"),
                Edit("graceDays", "\(old.graceDays)", "\(new.graceDays)"),
                Edit("selfRelease", rule(old), rule(new)),
            ].filter(\.isChange)
        }

        var isChange: Bool { old != new }

        private static func optional(_ number: Int?) -> String { number.map(String.init) ?? "none" }

        private static func names(_ policy: Policy) -> String {
            "[" + policy.entitlements.sorted().map(\.name).joined(separator: " ") + "]"
        }

        private static func rule(_ policy: Policy) -> String {
            policy.selfRelease.map { "\($0.perYear) a year, \($0.cooldownDays) days apart" } ?? "none"
        }

        private static func secret(_ product: Product) -> String { product.sdkKeyHash == nil ? "none" : "set" }
    }
}
