import TenureCore

/// What a person is told when a marketplace got keys that are for trying out.
enum MarketplaceKeysNotice {
    static func made(for tenant: TenantID) -> String {
        "made simulated signing assets for the marketplace of \(tenant): devices of this project accept its licenses, "
            + "iPhones do not. `tenure marketplace import` takes Apple's."
    }
}
