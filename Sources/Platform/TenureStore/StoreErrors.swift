extension StoreError {
    /// Converts an error of a closure that throws untyped errors: store errors stay as they are.
    ///
    /// Closures passed to the store throw nothing else, so anything else is a bug. Only its type is reported, because
    /// its text may contain row data.
    @usableFromInline package init(thrown error: any Error) {
        self =
            error as? StoreError
            ?? StoreError(
                .failed,
                "A step failed with an error that isn't the store's. This is a bug in Tenure; please report it.",
                cause: "\(type(of: error))")
    }
}

/// Runs a closure that throws untyped errors and throws them as ``StoreError``.
///
/// With it, a function can take closures that don't declare their error type and still throw a typed error.
@inlinable package func storeErrors<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
    do {
        return try body()
    } catch {
        throw StoreError(thrown: error)
    }
}
