public import TenureCore
public import TenureStore

extension PostgresStore {
    /// Reads what a validation needs in one statement, which carries other validations that wait as well.
    public func validation(
        of activation: ActivationID, for key: Digest, in product: ProductRef
    ) async throws(StoreError) -> ValidationRecord {
        try await lookups.validation(ValidationQuestion(activation: activation, key: key, product: product))
    }
}
