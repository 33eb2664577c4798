import TenureCore
public import TenureStore

extension ServerError {
    /// Passes on what the store could not do.
    ///
    /// What others may act upon keeps its code: what may be tried again, and what another record stands in the way of.
    public init(_ error: StoreError) {
        let told: Code? =
            if error.isTransient {
                Code(error.code.text)
            } else if error.code == .inUse {
                .inUse
            } else {
                error.taken.flatMap { Self.meanings[$0] }
            }
        self.init(
            told ?? .store, error.message, cause: error.description, isTransient: error.isTransient,
            taken: error.taken)
    }

    /// The same failure in words for whoever asked, where another row has the values of this key.
    package func told<Row>(_ code: Code, _ message: String, where key: Key<Row>) -> ServerError {
        guard taken == key.shape.fullName else { return self }
        return ServerError(code, message, cause: cause, isTransient: false, taken: taken)
    }

    /// Whether another record stands in the way, which only another request can help: nothing is broken.
    var isConflict: Bool { [.keyTaken, .domainTaken, .inUse].contains(code) }

    /// What it means that another row has the values of a key.
    private static let meanings: [String: Code] = [
        License.byKey.shape.fullName: .keyTaken, MarketplaceRow.byDomain.shape.fullName: .domainTaken,
    ]
}

/// Asks the store; what it cannot do becomes the server's error.
package func asking<Answer>(
    _ call: () async throws(StoreError) -> Answer
) async throws(ServerError) -> Answer {
    do throws(StoreError) {
        return try await call()
    } catch {
        throw ServerError(error)
    }
}
