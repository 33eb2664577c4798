import TenureCore
import TenureStore

extension ListQuery {
    init(_ filter: LicenseFilter, after cursor: LicenseID?, limit: Int) {
        self.init(after: cursor, limit: limit)
        if let tenant = filter.tenant { require("tenant = ", .slug(tenant)) }
        if let product = filter.product { require("product = ", .slug(product)) }
        if let policy = filter.policy { require("policy = ", .slug(policy)) }
        if let holder = filter.holder { require("holder = ", .text(holder)) }
        if let state = filter.state { require(state, at: filter.now) }
    }

    init(_ filter: AppLicenseFilter, after cursor: LicenseID?, limit: Int) {
        self.init(after: cursor, limit: limit)
        if let device = filter.device { require("device = ", .blob(device)) }
        if let tenant = filter.tenant { require("tenant = ", .slug(tenant)) }
        if let account = filter.account { require("account = ", .text(account.text)) }
        if let item = filter.item { require("item = ", Value(.item(item))) }
        if let state = filter.state { requireOfApp(state, at: filter.now) }
    }

    /// The state as `License.state(at:)` sees it: what was recorded, moved on by time.
    private mutating func require(_ state: License.State, at now: Timestamp) {
        switch state {
        case .suspended, .revoked, .returned:
            require("state = ", .text(state.rawValue))
        case .issued:
            require(Self.open, .moment(now))
            require("first_activated_at IS NULL")
        case .active:
            require(Self.open, .moment(now))
            require("first_activated_at IS NOT NULL")
        case .expired:
            require("state IN ('issued', 'active', 'expired') AND term_end <= ", .moment(now))
        }
    }

    /// The state as `AppLicense.state(at:)` sees it.
    private mutating func requireOfApp(_ state: License.State, at now: Timestamp) {
        switch state {
        case .issued, .suspended, .revoked, .returned:
            require("state = ", .text(state.rawValue))
        case .active:
            require("state = 'active' AND ifnull(term_end, 9223372036854775807) > ", .moment(now))
        case .expired:
            require("state = 'active' AND term_end <= ", .moment(now))
        }
    }

    private static let open: StaticString =
        "state IN ('issued', 'active', 'expired') AND ifnull(term_end, 9223372036854775807) > "
}
