import TenureCore
import TenureSelling
import TenureServerKit
import TenureStore

/// The sources whose provider lists past events, from which a restored store can read the messages that it lacks.
enum SourcesWithLists {
    /// The maximum number of sources to name.
    private static let most = 10

    /// Sentences for an operator about the licenses that come back from these sources after a restore; empty if the
    /// store has no such source.
    static func sentences(in store: any Store, under master: MasterKey) async throws(ServerError) -> [String] {
        var names: [String] = []
        for row in try await ServerStore(store).list(Listing(PaymentSourceRow.table.all, limit: 1_000)) {
            guard let source = PaymentSource(json: try row.json(under: master)), source.catchUpInterval != nil else {
                continue
            }
            names.append("\(row.tenant)/\(row.name), for \(source.provider.listedDays) days")
        }
        if names.isEmpty { return [] }
        let others = names.count > Self.most ? "; and \(names.count - Self.most) more sources" : ""
        return [
            "licenses that were paid for since the copy come back without --carry-issued, with the same keys: within minutes "
                + "of its start, a server reads the messages since the copy from the provider's list "
                + "(\(names.prefix(Self.most).joined(separator: "; "))\(others))"
        ]
    }
}
