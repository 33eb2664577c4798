import TenureCore
import TenureFormats

extension CatalogReader {
    /// What a tenant's file says of its marketplace.
    struct ListedMarketplace {
        var marketplace: Marketplace
        var packages: [ListedPackage] = []
        var accounts: [ListedAccount] = []
    }

    /// The marketplace of a tenant; nil when there is none, or no usable domain.
    mutating func marketplace(_ node: CatalogNode?, of tenant: Tenant) -> ListedMarketplace? {
        guard let node, node.value != .null else { return nil }
        let members = object(
            node,
            knowing: [
                "name", "domain", "appleItemID", "bundleID", "pollingIntervalHours", "access", "resolutionPage",
                "supportEmail", "overrides", "accounts", "apps",
            ])
        guard let domainNode = members["domain"] else {
            report(node, "needs a \"domain\": the host that devices ask, such as market.example")
            return nil
        }
        let domain = domain(domainNode)
        var marketplace = Marketplace(
            name: text(members["name"]) ?? tenant.name, domain: domain ?? "",
            appleItemID: members["appleItemID"].flatMap { item($0) }, bundleID: bundleID(members["bundleID"]),
            pollingIntervalHours: pollingInterval(members["pollingIntervalHours"]), access: access(members["access"]),
            resolutionPage: bool(members["resolutionPage"], default: true),
            supportEmail: email(members["supportEmail"]))
        var packages: [ListedPackage] = []
        for element in list(members["apps"]) {
            guard let (app, package) = app(element, of: tenant.id) else { continue }
            if marketplace.apps.updateValue(app, forKey: app.item) != nil {
                report(element, "the app \(app.item) is named twice")
            }
            if let package { packages.append(package) }
        }
        marketplace.overrides = overrides(members["overrides"])
        let accounts = accounts(list(members["accounts"]), of: tenant.id, granting: marketplace.apps)
        return domain.map { _ in
            ListedMarketplace(marketplace: marketplace, packages: packages, accounts: accounts)
        }
    }

    /// An Apple item id, written as a text of digits.
    mutating func item(_ node: CatalogNode) -> AppleItemID? {
        guard case .string(let text) = node.value, let item = AppleItemID(text: text) else {
            report(node, "must be Apple's number of the app in a text, such as \"6497405838\"")
            return nil
        }
        return item
    }

    /// A bundle identifier: letters, digits, `-` and `.`.
    mutating func bundleID(_ node: CatalogNode?) -> String? {
        guard let node, let text = text(node, limit: 155) else { return nil }
        let isBundle = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."): true
            default: false
            }
        }
        guard isBundle else {
            report(node, "must be a bundle id such as com.example.game")
            return nil
        }
        return text
    }

    /// An e-mail address: one `@` with something on both sides, and no white space.
    mutating func email(_ node: CatalogNode?) -> String? {
        guard let node, let text = text(node, limit: 254) else { return nil }
        guard EmailAddress.isOne(text) else {
            report(node, "must be an e-mail address")
            return nil
        }
        return text
    }

    private mutating func domain(_ node: CatalogNode) -> String? {
        guard case .string(let text) = node.value else {
            report(node, "must be a text, not \(node.value.kind)")
            return nil
        }
        if let fault = HostName.fault(of: text) {
            report(node, fault)
            return nil
        }
        return text
    }

    private mutating func pollingInterval(_ node: CatalogNode?) -> Int {
        guard let node, node.value != .null else { return 24 }
        guard case .integer(let number) = node.value, (24...8760).contains(number) else {
            report(
                node,
                "must be a whole number of hours from 24 to 8760: devices never look more often than every 24 hours, and "
                    + "seconds are not hours")
            return 24
        }
        return Int(number)
    }

    private mutating func access(_ node: CatalogNode?) -> Marketplace.Access {
        guard let node else { return .open }
        guard case .string(let text) = node.value, let access = Marketplace.Access(rawValue: text) else {
            report(
                node, "must be \"open\" (every listed app for everyone) or \"token\" (an account's apps for its bearer)"
            )
            return .open
        }
        return access
    }
}
