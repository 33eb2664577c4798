/// One moment of a store, read once from beginning to end, whatever others write meanwhile.
///
/// It holds resources of the store until ``end()``: call that in any case.
public protocol StoreSnapshot: Sendable {
    /// Counts the rows of every part; reads them all, so it takes a moment on a large store.
    func counts() async throws(StoreError) -> [StorePart: Int]

    /// Reads on: the parts in the order of ``StorePart``, each in the order of its keys; nil when all has been read.
    ///
    /// The catalog always comes, first and whole; of other parts without rows there is no page.
    func next() async throws(StoreError) -> StorePage?

    /// Lets the moment go; what is read afterwards throws `.closed`.
    func end() async
}
