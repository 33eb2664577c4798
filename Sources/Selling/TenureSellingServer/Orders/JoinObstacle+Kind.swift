import TenureCore
import TenureSelling
import TenureServerKit

extension JoinObstacle {
    /// The reason for refusing a request, with its code.
    var kind: Reason.Kind {
        switch self {
        case .orderKnown:
            Reason.Kind(
                "order_known", "The order is known already, and has its licenses.",
                cure: "See its licenses with `tenure order list --reference` and `tenure order show`.", since: "0.2")
        case .licenseOfOrder:
            Reason.Kind(
                "license_of_order", "The license belongs to another order, or names one.",
                cure:
                    "Check the license with `tenure license show`. If no source has the order that it names, join another "
                    + "license, or change it with `tenure license change --order`.", since: "0.2")
        case .licenseFinal:
            Reason.Kind(
                "license_final", "The license has been revoked or returned, so no order extends it.",
                cure: "Issue another license with `tenure intake retry --issue`.", since: "0.2")
        case .licenseNotSold:
            Reason.Kind(
                "license_not_sold", "The order doesn't sell the license's product under its policy.",
                cure:
                    "Compare the license with the source's items. Change its policy with `tenure license change --policy`, "
                    + "or name another license.", since: "0.2")
        case .sourceOfTests:
            Reason.Kind(
                "source_of_tests", "The source takes test payments, which never extend a license.",
                cure: "Name a source with `\"world\": \"live\"`.", since: "0.2")
        }
    }

    /// The obstacle and its remedy.
    var sentence: String { "\(kind.sentence) \(kind.cure)" }
}
