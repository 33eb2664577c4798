import TenureCore
package import TenureStore

/// The looks of a change that a client may ask for again: what was answered before, and the change's own.
package struct RepeatableLooks<Looks: Sendable>: Sendable {
    package let answer: RowLook<RememberedAnswer>
    package let former: RowLook<RememberedAnswer>
    package let looks: Looks
}

/// A form of a change under the catalog that is carried out once per idempotency key.
package struct RepeatableForm<Looks: Sendable>: Sendable {
    package let form: CatalogForm<RepeatableLooks<Looks>>

    /// Declares a form; keep it in a static value.
    package init(_ declare: (inout Asking) -> Looks) {
        form = CatalogForm { ask in
            ask.hold(RememberedAnswer.turn)
            let answer = ask.row(RememberedAnswer.table.key)
            let former = ask.row(RememberedAnswer.table.key)
            return RepeatableLooks(answer: answer, former: former, looks: declare(&ask))
        }
    }

    /// Fills the form in; without a request, for a change that never comes again.
    package func asked(
        _ request: RepeatableRequest?, _ values: StoredValue..., lists: [[StoredValue]] = []
    ) -> CatalogAsked<RepeatableLooks<Looks>> {
        let key = request.map { StoredValue.of($0.key) }
        return CatalogAsked(
            form: form,
            asked: form.form.asked(
                all: [.of(request?.key), .of(request?.formerKey)] + values, lists: [key.map { [$0] } ?? []] + lists))
    }
}
