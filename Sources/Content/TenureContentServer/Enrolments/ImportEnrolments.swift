import TenureContent
import TenureCore
import TenureServerKit

/// The rows and results of an import of enrolments.
enum EnrolmentImport {
    /// A row as it was read: an order or an error.
    enum Row: Sendable {
        /// A valid row.
        ///
        /// Its reference identifies the enrolment if the import is repeated.
        case order(EnrolmentOrder)
        /// An invalid row, with the error code and what to do.
        case unread(code: String, detail: String)
    }

    enum Outcome: Sendable {
        /// A new enrolment was added.
        case added(EnrolmentID)
        /// The dates or policy of an enrolment were changed.
        case changed(EnrolmentID)
        /// The enrolment was already up to date.
        case unchanged(EnrolmentID)
        /// The row was rejected, with the error code and what to do.
        case invalid(code: String, detail: String)

        /// The result as it is spelled in the API.
        var outcomeName: String {
            switch self {
            case .added: "added"
            case .changed: "changed"
            case .unchanged: "unchanged"
            case .invalid: "invalid"
            }
        }

        /// The enrolment that the row added, changed or matched; `nil` for a rejected row.
        var enrolment: EnrolmentID? {
            switch self {
            case .added(let id), .changed(let id), .unchanged(let id): id
            case .invalid: nil
            }
        }
    }

    /// How many rows are imported at the same time, at most.
    fileprivate static let concurrentRows = 128
}

extension ContentContext {
    /// Enrols many holders concurrently, each in a durable transaction; rows with the same reference run in sequence.
    ///
    /// An invalid row gets its own error, and the other rows are imported. The results are in the order of the rows.
    /// Throws ``ServerError``. Rows imported before the error stay, and repeating them changes nothing.
    func importEnrolments(
        _ rows: [EnrolmentImport.Row], of tenant: TenantID, by actor: Actor
    ) async throws(ServerError) -> [EnrolmentImport.Outcome] {
        var outcomes: [EnrolmentImport.Outcome] = []
        var wave: [EnrolmentImport.Row] = []
        var references: Set<String> = []
        for row in rows {
            let isAgain = row.reference.map { !references.insert($0).inserted } ?? false
            if isAgain || wave.count >= EnrolmentImport.concurrentRows {
                outcomes += try await enrol(wave, of: tenant, by: actor)
                wave = []
                references = Set([row.reference].compactMap(\.self))
            }
            wave.append(row)
        }
        return outcomes + (try await enrol(wave, of: tenant, by: actor))
    }

    private func enrol(
        _ rows: [EnrolmentImport.Row], of tenant: TenantID, by actor: Actor
    ) async throws(ServerError) -> [EnrolmentImport.Outcome] {
        let results = await withTaskGroup(of: (Int, Result<EnrolmentImport.Outcome, ServerError>).self) { tasks in
            for (index, row) in rows.enumerated() {
                tasks.addTask {
                    do throws(ServerError) {
                        return (index, .success(try await self.enrol(row, of: tenant, by: actor)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            return await tasks.reduce(into: []) { $0.append($1) }
        }
        var outcomes: [EnrolmentImport.Outcome] = []
        for (_, result) in results.sorted(by: { $0.0 < $1.0 }) { outcomes.append(try result.get()) }
        return outcomes
    }

    private func enrol(
        _ row: EnrolmentImport.Row, of tenant: TenantID, by actor: Actor
    ) async throws(ServerError) -> EnrolmentImport.Outcome {
        guard case .order(let order) = row else {
            guard case .unread(let code, let detail) = row else { return .invalid(code: "field_invalid", detail: "") }
            return .invalid(code: code, detail: detail)
        }
        switch try await addEnrolment(order, of: tenant, by: actor) {
        case .done(let enrolment, let isNew, let changed):
            let id = enrolment.enrolment.id
            return isNew ? .added(id) : changed ? .changed(id) : .unchanged(id)
        case .refused(let refusal):
            return .invalid(
                code: refusal.first.code.text, detail: "\(refusal.first.message) \(refusal.first.cure)")
        case .notOffered(let missing):
            return .invalid(code: missing.explanation.code, detail: missing.explanation.sentence)
        }
    }
}

extension EnrolmentImport.Row {
    fileprivate var reference: String? { if case .order(let order) = self { order.reference } else { nil } }

    /// Whether the endpoint for a single enrolment would accept a text.
    private static func isLine(_ text: String) -> Bool {
        FieldType<String>.line(1...256).value(ofText: text) != nil
    }

    /// Creates a row from its cells; it becomes an error if a cell is invalid.
    ///
    /// A row needs a holder, a reference, and either a course or a content item. Its end must be after its start.
    init(_ cells: ImportedCells) {
        let (holder, course, content) = (cells.text("holder"), cells.text("course"), cells.text("content"))
        var terms = Enrolment.Terms()
        let faults = EnrolmentField.all.compactMap { $0.take(cells, &terms) }
        let reference = cells.text("reference")
        guard let holder, Self.isLine(holder) else {
            self = .unread(
                code: holder == nil ? "field_missing" : "field_invalid",
                detail: "The holder is missing or invalid. Use one line of 1 to 256 characters.")
            return
        }
        guard let reference, Self.isLine(reference) else {
            self = .unread(
                code: reference == nil ? "field_missing" : "field_invalid",
                detail: "The reference is missing or invalid; it identifies a repeated row. Use one line of 1 to 256 "
                    + "characters.")
            return
        }
        let scope: Enrolment.Scope? =
            switch (course, content) {
            case (let course?, nil): CourseID(course).map { .course($0) }
            case (nil, let content?): ContentID(content).map { .content($0) }
            default: nil
            }
        guard let scope else {
            self = .unread(
                code: "field_invalid", detail: "A row must name either a course or a content item.")
            return
        }
        if let fault = faults.first {
            self = .unread(code: "field_invalid", detail: fault)
            return
        }
        if terms.isEmpty {
            self = .unread(code: "field_invalid", detail: "The end must be later than the start.")
            return
        }
        self = .order(
            EnrolmentOrder(holder: holder, scope: scope, terms: terms, reference: reference))
    }
}

extension EnrolmentOrder.NotOffered {
    /// The error code and message for the caller that named the object.
    var explanation: (code: String, sentence: String) {
        switch self {
        case .contents: ("contents_unknown", "This tenant has no offline content. Add it to the catalog and apply it.")
        case .course(let course):
            ("course_unknown", "There is no course \(course).")
        case .content(let content):
            ("content_unknown", "There is no content item \(content).")
        case .policy(let policy):
            ("content_policy_unknown", "There is no content policy \(policy).")
        }
    }
}
