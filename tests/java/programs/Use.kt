import com.baidu.paddle.lite.MobileConfig
import com.baidu.paddle.lite.PaddlePredictor
import com.baidu.paddle.lite.PowerMode

fun main(args: Array<String>) {
    val config = MobileConfig().apply {
        setModelFromFile(args[0])
        threads = 2
        powerMode = PowerMode.LITE_POWER_NO_BIND
    }
    val predictor = PaddlePredictor.createPaddlePredictor(config)
    val input = predictor.getInput(0)
    input.resize(longArrayOf(1, 3, 24, 24))
    input.setData(FloatArray(3 * 24 * 24) { it % 5 / 5f - 0.4f })
    predictor.run()
    predictor.getOutput(0).floatData.forEach { println(it) }
    predictor.close()
}
