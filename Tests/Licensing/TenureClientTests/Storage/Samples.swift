import TenureCore

@testable import TenureClient

extension ProductRef {
    static let sample = ProductRef(tenant: TenantID("acme")!, product: ProductID("notes")!)
    static let other = ProductRef(tenant: TenantID("acme")!, product: ProductID("paint")!)
    static let otherTenant = ProductRef(tenant: TenantID("emca")!, product: ProductID("notes")!)
}

extension RecordSeal {
    static let sampleDevice = Array("the device of these tests".utf8)
    static let sample = RecordSeal(device: sampleDevice, product: .sample)
}
