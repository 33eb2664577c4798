package import TenureCore

extension EventRecord {
    /// What ``read(_:)`` reads.
    package static let selection: StaticString = """
        SELECT sequence, at, kind, tenant, product, license_id, activation_id, actor, detail, app, account FROM events
        """

    package static func read(_ row: some StoredRow) throws(StoreError) -> EventRecord {
        guard let actor = Actor(text: row.text(7)), let detail = Event.detail(code: row.text(8)) else {
            throw .unreadable("an event")
        }
        let event = Event(
            EventKind(row.text(2)), at: row.moment(1), tenant: try row.tenant(3), product: try row.productOfEvent(4),
            app: row.isNull(9) ? nil : try row.item(9), account: row.isNull(10) ? nil : try row.account(10),
            license: row.integer(5) == Event.noLicense ? nil : try row.license(5),
            activation: row.isNull(6) ? nil : try row.activationID(6), actor: actor, detail: detail)
        return EventRecord(sequence: row.integer(0), event: event)
    }
}

extension Event {
    /// What stands for no product where the column takes no NULL: no product is named so.
    ///
    /// The first events all had a product and a license, and SQLite cannot take a column's NOT NULL back without writing
    /// the whole table anew; both engines keep the same values.
    package static let noProduct = ""
    /// What stands for no license where the column takes no NULL: no license has that id.
    package static let noLicense: Int64 = -1
}

extension StoredRow {
    fileprivate func productOfEvent(_ column: Int32) throws(StoreError) -> ProductID? {
        let text = text(column)
        if text == Event.noProduct { return nil }
        guard let product = ProductID(text) else { throw .unreadable("a product's name") }
        return product
    }
}
