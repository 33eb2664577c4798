import TenureCore
package import TenureStore

/// The queries of a repeatable change: the saved responses and the change's own.
package struct RepeatableLooks<Looks: Sendable>: Sendable {
    package let answer: RowLook<RememberedAnswer>
    package let looks: Looks
}

/// The query plan of a catalog-dependent change that runs once per idempotency key.
package struct RepeatableForm<Looks: Sendable>: Sendable {
    package let form: CatalogForm<RepeatableLooks<Looks>>

    /// Declares a query plan.
    ///
    /// Keep it in a static value.
    package init(_ declare: (inout Asking) -> Looks) {
        form = CatalogForm { ask in
            ask.hold(RememberedAnswer.turn)
            let answer = ask.row(RememberedAnswer.table.key)
            return RepeatableLooks(answer: answer, looks: declare(&ask))
        }
    }

    /// Binds values.
    ///
    /// The request is `nil` if it has no idempotency key.
    package func asked(
        _ request: RepeatableRequest?, _ values: StoredValue..., lists: [[StoredValue]] = []
    ) -> CatalogAsked<RepeatableLooks<Looks>> {
        let key = request.map { StoredValue.of($0.key) }
        return CatalogAsked(
            form: form,
            asked: form.form.asked(all: [.of(request?.key)] + values, lists: [key.map { [$0] } ?? []] + lists))
    }
}
