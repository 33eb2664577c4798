import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit

extension StatusReport {
    /// The number of products, and of licenses by state.
    static let licensing = StatusReport { context in
        let census = try await context.store.census()
        let products = context.catalog.tenants.values.reduce(0) { $0 + $1.products.count }
        let licenses = License.State.allCases.compactMap { state in
            census.licenses[state].flatMap { $0 > 0 ? (state: state, count: $0) : nil }
        }
        let all = licenses.reduce(0) { $0 + $1.count }
        let states = licenses.map { "\($0.count) \($0.state.rawValue)" }.joined(separator: ", ")
        let lines = [
            "products     \(products)", "licenses     \(all)" + (states.isEmpty ? "" : ": \(states)"),
            "devices      \(census.liveActivations)",
        ]
        let part = StatusPart(.contents, lines) { body in
            body.member("products", products)
            body.object("licenses") { list in
                for (state, count) in licenses { list.member(state.rawValue, count) }
            }
            body.member("liveActivations", census.liveActivations)
        }
        return [part]
    }
}
